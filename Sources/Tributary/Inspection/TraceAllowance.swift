import Foundation

/// How many ordered traces a client sends in a minute, so that an order costs a user little, whatever an app tracks.
struct TraceAllowance: Sendable, Equatable {
    private static let seconds: TimeInterval = 60
    static let traces = 100
    static let bytes = 64 << 10

    private var begin: TimeInterval?
    private var traces = 0
    private var bytes = 0

    /// - Parameter uptime: the time now, by a clock that only moves forward.
    /// - Returns: whether a trace of so many bytes may be sent.
    mutating func take(bytes size: Int, at uptime: TimeInterval) -> Bool {
        if begin.map({ uptime - $0 >= Self.seconds }) ?? true { (begin, traces, bytes) = (uptime, 0, 0) }
        guard traces < Self.traces, size <= Self.bytes - bytes else { return false }
        traces += 1
        bytes += size
        return true
    }
}
