import Foundation

/// Times with nine digits after the second.
enum ExactTimestamp {
    /// The client's time, with the digits below a millisecond from the system's clock.
    static func now(_ time: any TimeSource) -> String {
        var clock = timespec()
        clock_gettime(CLOCK_REALTIME, &clock)
        return string(milliseconds: time.milliseconds, nanoseconds: Int(clock.tv_nsec) % 1_000_000)
    }

    /// - Parameter nanoseconds: the part below the millisecond.
    static func string(milliseconds: Int64, nanoseconds: Int) -> String {
        let digits = String(nanoseconds)
        let rest = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        return ISO8601.string(milliseconds: milliseconds).replacingOccurrences(of: "Z", with: rest + "Z")
    }
}
