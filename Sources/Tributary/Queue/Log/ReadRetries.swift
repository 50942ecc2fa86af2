import Foundation

/// When reading of a log is tried again after it failed: after 1 s, and after twice as long each time, up to a minute.
struct ReadRetries: Sendable {
    /// Seconds between two tries at the most.
    static let longestPause: TimeInterval = 60

    /// Why reading does not go on; nil while it does.
    private(set) var failure: (any Error)?
    private var count = 0

    /// - Returns: whether reading worked until now, and the seconds until the next try.
    mutating func failed(_ error: any Error) -> (isFirst: Bool, pause: TimeInterval) {
        defer {
            failure = error
            count = min(count + 1, 10)
        }
        return (failure == nil, min(Self.longestPause, pow(2, Double(count))))
    }

    /// - Returns: whether reading had failed until now.
    mutating func succeeded() -> Bool {
        defer { self = ReadRetries() }
        return failure != nil
    }
}
