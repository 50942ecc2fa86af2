import TributaryJSON

/// Times for people and for programs.
enum ClientTime {
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
