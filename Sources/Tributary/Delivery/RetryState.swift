import Foundation

/// What delivery knows of its server, and keeps for the next launch: an app that is started again and again must not
/// come back sooner than the server was promised.
///
/// Times are milliseconds since 1970 here; a clock that was set, and a file from anywhere, cannot hold delivery up for
/// longer than the longest pause.
struct RetryState: Sendable, Equatable {
    /// The server that all this is about; a pause does not outlive a change of the address.
    var host: String?
    /// Requests without success in a row.
    var failures = 0
    /// When the first of them ended.
    var failingSince: Int64?
    /// When the pause began, and how long it is, in seconds.
    var pausedAt: Int64?
    var pause: TimeInterval = 0
    /// Whether the server does what it does until somebody changes something there, so that an app that flushes may ask
    /// before the pause is over.
    var mayAsk = false
    /// When an app that flushed last asked before the end of a pause.
    var askedAt: Int64?
    /// Launches in a row that ended while their first request was under way.
    var unansweredLaunches = 0
    /// When the first request of this process was sent, until something was confirmed.
    var attemptedAt: Int64?
    /// Bytes of a batch, when the server or the line does not take as many as the protocol allows.
    var batchBytes: Int?
    /// Servers that do not take compressed bodies, and since when that is known.
    var plainHosts: [String: Int64] = [:]

    /// Seconds of the pause that are left at that time.
    func pauseLeft(at milliseconds: Int64, longest: TimeInterval) -> TimeInterval {
        guard let pausedAt else { return 0 }
        let bounded = min(max(pause, 0), longest)
        // Set back, the clock says that the pause has not begun: it then begins now.
        let passed = max(0, Double(milliseconds) - Double(pausedAt)) / 1000
        return max(0, bounded - passed)
    }

    /// Whether that server takes no compressed bodies. After a week it is asked again: it may have learned it.
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

    /// Everything is well again, or it is about another server.
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
