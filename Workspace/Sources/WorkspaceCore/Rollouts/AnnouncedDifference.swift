package import TributaryJSON

/// A difference between two versions of the live plugins that an operator expects: `changed:Checkout:properties.total`,
/// `dropped:Debug`, `made:First Open`. A `*` at the end matches any text, so `*` alone announces all differences.
package struct AnnouncedDifference: Sendable, Hashable {
    /// The most of them that a roll-out has, and the bytes of one.
    package static let most = 100
    private static let bytes = 200
    private static let kinds = ["changed", "dropped", "made"]

    package let text: String

    /// - Throws: `Refusal` when it is no difference.
    package init(_ text: String) throws(Refusal) {
        let isKind = Self.kinds.contains { text.hasPrefix($0 + ":") && text.count > $0.count + 1 }
        guard isKind || text == "*", text.utf8.count <= Self.bytes else {
            throw .invalid(
                "'\(text)' announces no difference; one is written changed:EVENT:FIELD, dropped:EVENT or made:EVENT, with at "
                    + "most \(Self.bytes) bytes")
        }
        self.text = text
    }

    /// - Throws: `Refusal` when one of them is no difference, or there are too many.
    package static func list(_ texts: [String]) throws(Refusal) -> [AnnouncedDifference] {
        guard texts.count <= most else { throw .invalid("a roll-out has at most \(most) announced differences") }
        var list: [AnnouncedDifference] = []
        for text in texts where !text.isBlank {
            let difference = try AnnouncedDifference(text)
            if !list.contains(difference) { list.append(difference) }
        }
        return list
    }

    /// Whether a reported difference is announced by this.
    package func covers(_ difference: String) -> Bool {
        text.hasSuffix("*") ? difference.hasPrefix(text.dropLast()) : difference == text
    }
}

extension [AnnouncedDifference] {
    package func covers(_ difference: String) -> Bool { contains { $0.covers(difference) } }

    package var json: JSON { .strings(map(\.text)) }
}
