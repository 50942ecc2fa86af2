import Foundation
import TributaryJSON

/// Placeholders for secrets in the requests of a function. The server replaces them by the values.
///
/// A placeholder begins with a random text that only its process knows. So an event cannot contain one.
package struct FunctionPlaceholders: Sendable, Equatable {
    /// How the value is written where the placeholder is.
    enum Encoding: Sendable {
        /// A header or a body that is sent as it is.
        case plain
        /// Inside of a text of JSON.
        case json
        /// In an address, or in a form.
        case percent
    }

    /// The meaning of a placeholder.
    private enum Part {
        case secret(String)
        /// The text in base 64; it has placeholders of its own.
        case base64(String)
    }

    package let nonce: String

    /// - Parameter nonce: a text of hexadecimal digits.
    package init(nonce: String = Self.randomNonce()) { self.nonce = nonce }

    package static func randomNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in String(format: "%02x", UInt8.random(in: 0...255, using: &generator)) }.joined()
    }

    /// The text with the values in the places of the placeholders.
    /// - Returns: nil when a secret has no value.
    func filled(_ text: String, _ encoding: Encoding, _ secrets: FunctionSecrets) -> String? {
        replaced(text) { part in
            switch part {
            case .secret(let name): secrets.values[name].map { Self.encoded($0, encoding) }
            case .base64(let inner):
                filled(inner, .plain, secrets).map { Self.encoded(Data($0.utf8).base64EncodedString(), encoding) }
            }
        }
    }

    /// The text for people: `{{secret:token}}`.
    package func shown(_ text: String) -> String {
        replaced(text) { part in
            switch part {
            case .secret(let name): "{{secret:\(name)}}"
            case .base64(let inner): "{{base64:\(shown(inner))}}"
            }
        } ?? text
    }

    /// The names of the secrets in the text.
    func names(in text: String) -> [String] {
        var names: [String] = []
        _ = replaced(text) { part in
            switch part {
            case .secret(let name): names.append(name)
            case .base64(let inner): names += self.names(in: inner)
            }
            return ""
        }
        return names
    }

    /// Replaces each placeholder; nil when one has no replacement. A text that only begins like a placeholder stays.
    private func replaced(_ text: String, _ replacement: (Part) -> String?) -> String? {
        let pieces = text.components(separatedBy: nonce)
        var result = pieces[0]
        for piece in pieces.dropFirst() {
            guard let (part, rest) = Self.part(piece) else {
                result += nonce + piece
                continue
            }
            guard let text = replacement(part) else { return nil }
            result += text + rest
        }
        return result
    }

    /// Reads the text behind the nonce: `.s.NAME.` or `.b.DIGITS.`.
    private static func part(_ text: String) -> (Part, rest: String)? {
        let fields = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard fields.count == 4, fields[0].isEmpty else { return nil }
        switch fields[1] {
        case "s": return (.secret(String(fields[2])), String(fields[3]))
        case "b": return bytes(fields[2]).map { (.base64(String(decoding: $0, as: UTF8.self)), String(fields[3])) }
        default: return nil
        }
    }

    private static func bytes(_ digits: Substring) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func encoded(_ text: String, _ encoding: Encoding) -> String {
        switch encoding {
        case .plain: text
        case .json: inJSON(text)
        case .percent: percentEncoded(text)
        }
    }

    /// The text as it is between the quotation marks of JSON.
    static func inJSON(_ text: String) -> String {
        String(String(decoding: JSON.string(text).encoded(), as: UTF8.self).dropFirst().dropLast())
    }

    static func percentEncoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
