import Foundation
import TributaryJSON

/// Reads the query of a request.
package struct QueryReader {
    private let pairs: [(name: String, value: String)]
    private let values: [String: String]

    /// Forms write a space as a plus. A text with an invalid encoding is taken as it is. Of equal names, the first
    /// counts.
    package init(query: String) {
        pairs = query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decode(parts[0]), parts.count == 2 ? Self.decode(parts[1]) : "")
        }
        values = Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The same of names and values that are not encoded.
    package init(pairs: [(name: String, value: String)]) {
        self.pairs = pairs
        values = Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private static func decode(_ text: Substring) -> String {
        let text = text.replacing("+", with: " ")
        return String(text).removingPercentEncoding ?? String(text)
    }

    /// The names in the query, in its order.
    package var names: [String] { pairs.map(\.name) }

    /// A parameter; nil when it is missing or empty.
    package func text(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// All values of a parameter that may be repeated.
    package func texts(_ name: String) -> [String] {
        pairs.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
    }

    /// True or false; a parameter that is not there is false.
    package func flag(_ name: String) throws(Refusal) -> Bool {
        switch text(name) {
        case nil, "false": return false
        case "true": return true
        default: throw .invalid("\(name) is true or false")
        }
    }

    /// The requested number of rows.
    package func limit() throws(Refusal) -> Int {
        guard let limit = try number("limit") else { return Limits.defaultPageRows }
        guard (1...Int64(Limits.pageRows)).contains(limit) else {
            throw .invalid("limit is a number from 1 to \(Limits.pageRows)")
        }
        return Int(limit)
    }

    /// A number that is not negative; nil when it is missing or empty.
    package func number(_ name: String) throws(Refusal) -> Int64? {
        guard let text = text(name) else { return nil }
        guard let value = Int64(text), value >= 0 else { throw .invalid("\(name) must be a number") }
        return value
    }
}
