import Foundation

/// Times as HTTP writes them: `Sun, 22 Nov 2026 08:00:00 GMT`.
enum HTTPDate {
    /// Milliseconds since 1970; nil when it is none. Slow, for what is rarely read.
    static func milliseconds(_ text: String) -> Int64? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text).map { Int64($0.timeIntervalSince1970 * 1_000) }
    }
}
