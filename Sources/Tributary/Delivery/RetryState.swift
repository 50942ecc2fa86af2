import Foundation

/// The facts that delivery has about its server. The client stores them for the next launch, because an app that is
/// started again and again must not return earlier than the server asked for.
///
/// Times are milliseconds since 1970. Neither a clock that was set nor a strange file can hold up delivery for longer
/// than the longest pause.
struct RetryState: Sendable, Equatable {
    /// The server of this state. A pause ends when the address changes.
    var host: String?
    /// Requests without success in a row.
    var failures = 0
    /// The time when the first of these failures ended.
    var failingSince: Int64?
    /// The time when the pause began. `pause` is its length in seconds.
    var pausedAt: Int64?
    var pause: TimeInterval = 0
    /// Whether only a change of the server or the network can end the failures. A flush by the app may then ask the
    /// server before the pause is over.
    var mayAsk = false
    /// The last time when a flush by the app ended a pause early.
    var askedAt: Int64?
    /// Launches in a row that ended while their first request was under way.
    var unansweredLaunches = 0
    /// The time of the first request of this process; nil after something was confirmed.
    var attemptedAt: Int64?
    /// The largest batch in bytes, when the server or the network does not take as many as the protocol allows.
    var batchBytes: Int?
    /// Servers that take no compressed bodies, with the time when that was found out.
    var plainHosts: [String: Int64] = [:]

    /// The rest of the pause in seconds at that time.
    func pauseLeft(at milliseconds: Int64, longest: TimeInterval) -> TimeInterval {
        guard let pausedAt else { return 0 }
        let bounded = min(max(pause, 0), longest)
        // When the clock was set back, the pause seems to begin in the future. Then it begins now.
        let passed = max(0, Double(milliseconds) - Double(pausedAt)) / 1000
        return max(0, bounded - passed)
    }

    /// Whether that server takes no compressed bodies. After a week the client tries again, because the server may have
    /// changed.
    func isPlain(_ host: String, at milliseconds: Int64) -> Bool {
        guard let since = plainHosts[host] else { return false }
        return abs(Double(milliseconds) - Double(since)) < Limits.plainHostSeconds * 1000
    }

    mutating func setPlain(_ host: String, at milliseconds: Int64) {
        plainHosts[host] = milliseconds
        guard plainHosts.count > Limits.plainHosts, let oldest = plainHosts.min(by: { $0.value < $1.value }) else {
            return
        }
        plainHosts[oldest.key] = nil
    }

    /// Clears the failures, after a success or a change of the server.
    mutating func clearFailures() {
        failures = 0
        failingSince = nil
        pausedAt = nil
        pause = 0
        mayAsk = false
        unansweredLaunches = 0
        attemptedAt = nil
    }
}
