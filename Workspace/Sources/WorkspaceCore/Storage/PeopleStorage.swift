/// A storage that finds the events of people by their columns.
package protocol PeopleStorage: EventStorage {
    /// The numbers of a source's events that arrived on a day or later, in parts that one call reads, the newest first.
    /// - Parameter most: how many numbers a part has at most.
    func parts(of source: Int64, since day: Day, most: Int64) -> [EventPart]

    /// The events of a part that are of some kinds, at most eight; those that arrived last come first.
    /// - Parameters:
    ///   - times: when they happened.
    ///   - hasText: whether the events as they were sent are needed as well.
    func events(of kinds: [EventKind], at times: Range<Int64>, in part: EventPart, hasText: Bool) async throws
        -> [PersonEvent]

    /// The events of some people or devices, with their types and names.
    /// - Parameters:
    ///   - people: an event without a user counts by its device.
    ///   - times: when they happened.
    func events(
        ofPeople people: Set<PersonKey>, at times: Range<Int64>, in part: EventPart
    ) async throws -> [(event: PersonEvent, kind: EventKind)]

    /// The events of a part that have both a user and one of these devices.
    /// - Parameter times: when they happened.
    func events(of devices: Set<PersonKey>, at times: Range<Int64>, in part: EventPart) async throws -> [PersonEvent]
}

/// Some events of a source that arrived on one day.
package struct EventPart: Sendable, Equatable {
    package let source: Int64
    package let day: Day
    /// The numbers that they lie among.
    package let numbers: ClosedRange<Int64>
}
