package import TributaryJSON

/// Counts people by what they did. First it takes the events that were asked for, in any order, and then those that tell the
/// users of devices.
package protocol PeopleCount: Sendable {
    /// The events that it takes. A bit of `PersonEvent.kinds` stands for each.
    var kinds: [EventKind] { get }

    /// Whether it looks into the text of events.
    var needsText: Bool { get }

    /// The days on which the events happened.
    var days: ClosedRange<Day> { get }

    /// Takes an event that was asked for.
    mutating func take(_ event: PersonEvent) throws

    /// The devices whose users are to be noted, after all events were taken.
    var devices: Set<PersonKey> { get }

    /// Notes the user that an event names for its device.
    mutating func note(_ event: PersonEvent)

    /// The result.
    /// - Parameter limit: how many values are listed.
    func json(limit: Int) -> JSON
}
