/// A storage that finds the events of people by their columns.
package protocol PeopleStorage: EventStorage {
    /// The numbers of a source's events that arrived on a day or later, in parts that one call reads, the newest first.
    /// - Parameter most: how many numbers a part has at most.
    func parts(of source: Int64, since day: Day, most: Int64) -> [EventPart]

    /// The events of a part that are of some kinds, at most eight; those that arrived last come first.
    /// - Parameters:
    ///   - days: when they happened.
    ///   - hasText: whether the events as they were sent are needed as well.
    func events(of kinds: [EventKind], on days: ClosedRange<Day>, in part: EventPart, hasText: Bool) async throws
        -> [PersonEvent]

    /// The events of a part that have both a user and one of these devices.
    /// - Parameter days: when they happened.
    func events(of devices: Set<PersonKey>, on days: ClosedRange<Day>, in part: EventPart) async throws -> [PersonEvent]
}

/// Some events of a source that arrived on one day.
package struct EventPart: Sendable, Equatable {
    package let source: Int64
    package let day: Day
    /// The numbers that they lie among.
    package let numbers: ClosedRange<Int64>
}
