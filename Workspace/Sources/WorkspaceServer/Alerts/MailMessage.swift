import Foundation

/// A mail of one text, as it goes over the wire.
struct MailMessage: Sendable {
    let subject: String
    let text: String
    /// Milliseconds since 1970.
    let at: Int64
    /// Makes the mail recognisable; letters and digits.
    let id: String

    /// The lines of the mail, without a line that ends it. Subject and text are encoded, so that no character of them can
    /// begin a header or a command.
    func data(_ settings: MailSettings) -> [UInt8] {
        let domain = settings.from.split(separator: "@").last.map(String.init) ?? "localhost"
        let headers = [
            "From: <\(settings.from)>", "To: \(settings.to.map { "<\($0)>" }.joined(separator: ",\r\n "))",
            "Subject: \(Self.encoded(subject))", "Date: \(Self.date(at))", "Message-ID: <\(id)@\(domain)>",
            "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
            "Auto-Submitted: auto-generated", "", "",
        ]
        let body = Data(text.utf8).base64EncodedString(options: [
            .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
        ])
        return Array((headers.joined(separator: "\r\n") + body + "\r\n").utf8)
    }

    /// A text as words of RFC 2047. A line has at most 76 characters, so a part has at most 39 bytes.
    private static func encoded(_ text: String) -> String {
        var words: [String] = []
        var part: [UInt8] = []
        for character in text.unicodeScalars.map({ Array(String($0).utf8) }) {
            if part.count + character.count > 39 {
                words.append(word(part))
                part = []
            }
            part += character
        }
        return (words + [word(part)]).joined(separator: "\r\n ")
    }

    private static func word(_ part: [UInt8]) -> String { "=?utf-8?B?\(Data(part).base64EncodedString())?=" }

    private static func date(_ milliseconds: Int64) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
        return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
    }
}
