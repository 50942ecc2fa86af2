import Foundation

/// The part of a page's address after the question mark.
///
/// It is taken apart and written anew, so that nothing but names and values is ever stored: an address of another site, a
/// script or a part of a document stays a value that the page reads as text.
package struct ViewQuery: Sendable, Equatable {
    package let text: String

    private static let plain = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._*")

    /// - Throws: `Refusal` for anything that is not a list of names and values.
    package init(_ query: String) throws(Refusal) {
        guard query.utf8.count <= Limits.viewQuery else { throw Self.tooLong }
        guard query.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "?") }) else {
            throw .invalid(
                "the query is the part of an address after the question mark: ASCII without spaces, ? and #; other characters "
                    + "are encoded, such as %3F")
        }
        var parts: [String] = []
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(sides[0])
            guard Self.isName(name) else {
                throw .invalid("the query has names of letters before its values, such as by=name")
            }
            parts.append("\(name)=\(try Self.rewritten(sides.count == 2 ? sides[1] : ""))")
        }
        text = parts.joined(separator: "&")
        guard text.utf8.count <= Limits.viewQuery else { throw Self.tooLong }
    }

    private static func isName(_ text: String) -> Bool {
        (1...30).contains(text.count) && text.utf8.allSatisfy { 0x41...0x5a ~= $0 || 0x61...0x7a ~= $0 }
    }

    private static func rewritten(_ value: Substring) throws(Refusal) -> String {
        guard let decoded = value.replacing("+", with: " ").removingPercentEncoding,
            decoded.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }),
            let encoded = decoded.addingPercentEncoding(withAllowedCharacters: plain)
        else { throw .invalid("a value of the query is not encoded as UTF-8, or has a control character") }
        return encoded
    }

    private static let tooLong = Refusal.invalid("the query has at most \(Limits.viewQuery) bytes")
}
