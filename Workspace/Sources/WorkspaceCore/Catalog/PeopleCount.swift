package import TributaryJSON

/// Counts people by the events that they did. First it takes the events that were asked for, in any order, and then the
/// events that name the users of devices.
package protocol PeopleCount: Sendable {
    /// The events that it takes. Each has a bit in `PersonEvent.kinds`.
    var kinds: [EventKind] { get }

    /// Whether it looks into the text of events.
    var needsText: Bool { get }

    /// The days on which the events happened.
    var days: ClosedRange<Day> { get }

    /// Takes an event that was asked for.
    mutating func take(_ event: PersonEvent) throws

    /// The devices of events without a user, after all events were taken; it wants to know their users.
    var devices: Set<PersonKey> { get }

    /// Notes the user that an event names for its device.
    mutating func note(_ event: PersonEvent)

    /// The result.
    /// - Parameter limit: how many values are listed.
    func json(limit: Int) -> JSON
}
