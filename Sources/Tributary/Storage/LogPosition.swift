/// A place in a log: behind the record of that sequence.
struct LogPosition: Sendable, Equatable {
    var sequence: UInt64

    func isAtOrAfter(_ other: LogPosition) -> Bool { sequence >= other.sequence }
}
