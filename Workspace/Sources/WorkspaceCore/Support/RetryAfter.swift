import Foundation

/// Reads `Retry-After`, the time after which the client should try again: seconds, or a date of RFC 9110 such as `Sun,
/// 22 Nov 2026 08:00:00 GMT`.
package enum RetryAfter {
    /// The pause in milliseconds; nil for a text that is neither, and for a time that is over.
    ///
    /// - Parameter now: milliseconds since 1970.
    package static func milliseconds(_ text: String, now: Int64) -> Int64? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let seconds = Int32(text) { return seconds >= 0 ? Int64(seconds) * 1_000 : nil }
        guard let date = date(text), date > now else { return nil }
        return date - now
    }

    /// A slow formatter, for a header that is rarely read.
    private static func date(_ text: String) -> Int64? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text).map { Int64($0.timeIntervalSince1970 * 1_000) }
    }
}
