import Foundation

/// The times of further attempts after a log could not be read: after 1 s, then after twice as long each time, up to a
/// minute.
struct ReadRetries: Sendable {
    /// The longest time in seconds between two attempts.
    static let longestPause: TimeInterval = 60

    /// The error that holds up reading; nil while there is none.
    private(set) var failure: (any Error)?
    private var count = 0

    /// - Returns: whether reading worked until now, and the seconds until the next attempt.
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
