import TributaryJSON

/// Times for people and for programs.
enum ClientTime {
    /// The end of the year 9999. A file that names a later time is damaged or hostile.
    private static let last: Int64 = 253_402_300_799_999

    /// The time, in milliseconds since 1970; nil when it is before 1970 or after the year 9999.
    static func plausible(_ time: Int64) -> Int64? { (0...last).contains(time) ? time : nil }

    /// The time in a text of a client; nil when it is none.
    static func read(_ text: JSON?) -> Int64? {
        text?.stringValue.flatMap(ISO8601.milliseconds).flatMap(plausible)
    }

    /// A time, and how long ago it was.
    static func text(_ time: Int64, now: Int64) -> String {
        "\(ISO8601.string(milliseconds: time)) (\(span(now - time)) ago)"
    }

    /// A span in its largest unit.
    static func span(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1000
        switch seconds {
        case ..<120: return "\(seconds) s"
        case ..<7_200: return "\(seconds / 60) minutes"
        case ..<172_800: return "\(seconds / 3_600) hours"
        default: return "\(seconds / 86_400) days"
        }
    }
}
