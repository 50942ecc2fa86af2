package import TributaryJSON

/// Reads a time as clients send it, in milliseconds since 1970.
///
/// Ingest, signals, traces and the importer read times through this one type, so they agree on what a time is:
///
/// - `2026-11-01T10:00:00.123Z` in every form of ISO 8601 that the protocol knows;
/// - the same without seconds, with a space or a slash (`2026/11/01 10:00`), with `+01`, `UTC` or `GMT` as the zone;
/// - the basic form of ISO 8601 (`20261101T100000Z`), and the form of mail and of HTTP (`Sun, 01 Nov 2026 10:00:00 GMT`);
/// - a time without a zone, which counts as UTC, and a day, which counts as its midnight in UTC;
/// - seconds or milliseconds since 1970, as a number or as text. Nine or ten digits before the point are seconds,
///   twelve or thirteen are milliseconds: the years 1973 to 2286.
///
/// Everything else is nil, also a date whose order is ambiguous (`01/11/2026`) and a shorter number (`20261101`).
package enum EventTime {
    /// Reads a text or a number.
    package static func milliseconds(_ json: JSON) -> Int64? {
        if let text = json.stringValue { return milliseconds(text) }
        return json.numberValue.flatMap { milliseconds(epoch: $0.double) }
    }

    /// Reads a text; spaces around it do not count.
    package static func milliseconds(_ text: String) -> Int64? {
        guard text.utf8.count <= Limits.timeBytes else { return nil }
        if let time = ISO8601.milliseconds(text) { return time }
        let trimmed = trimmed(text[...])
        if isDecimal(trimmed) { return Double(trimmed).flatMap(milliseconds(epoch:)) }
        return (extended(trimmed) ?? MailTime.text(trimmed) ?? completed(trimmed)).flatMap(ISO8601.milliseconds)
    }

    private static func milliseconds(epoch value: Double) -> Int64? {
        switch value {
        case 1e8..<1e10: Int64((value * 1000).rounded())
        case 1e11..<1e13: Int64(value.rounded(.down))
        default: nil
        }
    }

    /// Adds the parts that ISO 8601 lets a writer leave out; nil when the text cannot be a time. `ISO8601` then checks
    /// that the digits are a date and a time.
    private static func completed(_ text: Substring) -> String? {
        let date = text.prefix(10)
        guard date.utf8.count == 10 else { return nil }
        let day = date.replacing("/", with: "-")
        let rest = text.dropFirst(10)
        guard let separator = rest.first else { return day + "T00:00:00Z" }
        guard ["T", "t", " "].contains(separator) else { return nil }
        let clock = rest.dropFirst().prefix { $0.isASCII && ($0.isNumber || [":", ".", ","].contains($0)) }
        guard let zone = zone(trimmed(rest.dropFirst(1 + clock.count))) else { return nil }
        let seconds = clock.utf8.count == 5 ? ":00" : ""
        return day + "T" + clock.replacing(",", with: ".") + seconds + zone
    }

    /// The basic form of ISO 8601 with the signs that it leaves out; nil for any other text.
    private static func extended(_ text: Substring) -> String? {
        let (date, rest) = (text.prefix(8), text.dropFirst(8))
        guard date.utf8.count == 8, isDigits(date), rest.first == "T" || rest.first == "t" else { return nil }
        let clock = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard clock.utf8.count == 4 || clock.utf8.count == 6 else { return nil }
        let pairs = stride(from: 0, to: clock.count, by: 2).map { clock.dropFirst($0).prefix(2) }
        let day = "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))"
        return completed("\(day)T\(pairs.joined(separator: ":"))\(rest.dropFirst(1 + clock.count))")
    }

    private static func isDigits(_ text: Substring) -> Bool { text.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } }

    static func zone(_ text: Substring) -> String? {
        switch text.uppercased() {
        case "", "Z", "UTC", "GMT": return "Z"
        default:
            guard text.hasPrefix("+") || text.hasPrefix("-") else { return nil }
            return text.utf8.count == 3 ? text + "00" : String(text)
        }
    }

    private static func isDecimal(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2
            && parts.allSatisfy { !$0.isEmpty && isDigits($0) }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return start[start.endIndex...] }
        return start[...end]
    }
}
