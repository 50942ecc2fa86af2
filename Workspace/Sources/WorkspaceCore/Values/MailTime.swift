/// The times of mail and of HTTP (RFC 5322, RFC 9110): `Sun, 01 Nov 2026 10:00:00 GMT`.
enum MailTime {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let weekdays: Set<Substring> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// The same time in ISO 8601, without a check of its digits; nil for a text of another form. Names of days and
    /// months are in English, as the documents say. The day of the week may be missing, and is not compared with the
    /// date.
    static func text(_ text: Substring) -> String? {
        var words = text.lowercased().split(separator: " ")[...]
        if let first = words.first, first.hasSuffix(",") {
            guard weekdays.contains(first.dropLast()) else { return nil }
            words = words.dropFirst()
        }
        guard words.count == 5 else { return nil }
        let parts = Array(words)
        guard (1...2).contains(parts[0].utf8.count), let month = months.firstIndex(of: String(parts[1])),
            parts[2].utf8.count == 4, let zone = EventTime.zone(parts[4])
        else { return nil }
        let seconds = parts[3].utf8.count == 5 ? ":00" : ""
        return "\(parts[2])-\(padded("\(month + 1)"))-\(padded(parts[0]))T\(parts[3])\(seconds)\(zone)"
    }

    private static func padded(_ text: some StringProtocol) -> String { text.utf8.count == 1 ? "0\(text)" : "\(text)" }
}
