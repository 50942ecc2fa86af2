package import TributaryJSON

/// Counts people by the events that they did. First it takes the events that were asked for, in any order, and then the
/// events that name the users of devices.
package protocol PeopleCount: Sendable {
    /// The events that it takes. Each has a bit in `PersonEvent.kinds`.
    var kinds: [EventKind] { get }

    /// Whether it looks into the text of events.
    var needsText: Bool { get }

    /// When the events happened.
    var times: Range<Int64> { get }

    /// Takes an event that was asked for.
    mutating func take(_ event: PersonEvent) throws

    /// The devices of events without a user, after all events were taken; it wants to know their users.
    var devices: Set<PersonKey> { get }

    /// Notes the user that an event names for its device.
    mutating func note(_ event: PersonEvent)

    /// When the other events of people happened that it wants to see, after the users of devices are known; nil for none.
    var followedTimes: Range<Int64>? { get }

    /// The people and devices of these events, after the users of devices are known.
    /// - Throws: `Refusal` when there are too many.
    mutating func followed() throws -> Set<PersonKey>

    /// Takes such an event, whatever its kind.
    mutating func follow(_ event: PersonEvent, _ kind: EventKind)

    /// The result.
    /// - Parameter limit: how many values are listed.
    func json(limit: Int) -> JSON
}

extension PeopleCount {
    package var followedTimes: Range<Int64>? { nil }

    package mutating func followed() -> Set<PersonKey> { [] }

    package mutating func follow(_ event: PersonEvent, _ kind: EventKind) {}
}
