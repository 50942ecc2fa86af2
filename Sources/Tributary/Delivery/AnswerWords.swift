import Foundation
import TributaryJSON

/// The text for a developer about an answer, besides its status: the address that was called, the sentence of the server,
/// and a usual mistake in the address.
enum AnswerWords {
    /// Characters of the server's sentence that are shown.
    private static let longestSentence = 300
    /// Texts of systems about a server that does not use https. Texts about certificates have other reasons.
    private static let noTLS = [
        "SSL connect error", "SSL error", "secure connection", "WRONG_VERSION", "wrong version number",
    ]
    /// Their texts about a server that uses https and gets plain http.
    private static let noPlain = [
        "returned nothing", "HTTP/0.9", "receiving data", "connection was lost", "server reply",
        "ended within its head",
    ]

    /// The text behind the reason of a decision.
    static func text(_ answer: DeliveryPolicy.Answer, url: URL) -> String {
        var text = " (\(shown(url)))"
        if let sentence = answer.sentence { text += "; the server says: \(sentence)" }
        if let advice = answer.failure.flatMap({ advice($0, url) }) { text += "; \(advice)" }
        return text
    }

    /// The member `error` of an answer; nil when it has none.
    static func sentence(in body: [UInt8]) -> String? {
        // An answer of another server has no sentence, which is no fault here.
        guard let sentence = (try? JSON.parse(body))?["error"]?.stringValue, !sentence.isEmpty else { return nil }
        let plain = sentence.unicodeScalars.prefix(longestSentence).map { scalar in
            scalar.properties.generalCategory == .control ? " " : Character(scalar)
        }
        return String(plain)
    }

    private static func advice(_ failure: String, _ url: URL) -> String? {
        if url.scheme == "https", noTLS.contains(where: { failure.contains($0) }), !failure.contains("certificate") {
            return "if the server does not use https, write http:// in front of its host"
        }
        if url.scheme == "http", noPlain.contains(where: { failure.contains($0) }) {
            return "if the server uses https, write https:// in front of its host"
        }
        return nil
    }

    /// The address without a user and a password.
    private static func shown(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return url.host ?? "" }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        return parts.string ?? url.host ?? ""
    }
}
