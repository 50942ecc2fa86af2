package import TributaryJSON

/// A condition on a member of an event: `properties.total>10`, `context.os.name=iOS`, `properties.coupon~SUMMER`,
/// `properties.coupon`.
package struct JSONCondition: Sendable, Equatable {
    package enum Comparison: String, CaseIterable {
        // The longer ones first, because they are looked for in this order.
        case notEqual = "!=", atLeast = ">=", atMost = "<=", equal = "=", more = ">", less = "<", contains = "~"
    }

    package let path: JSONPath
    /// Nil when the member only has to be there.
    package let comparison: Comparison?
    package let value: JSON

    /// Reads a condition. A value in double quotes is a text; without them, what reads as a number, `true`, `false` or
    /// `null` is that, and everything else a text. A key with a dot, or with a sign of comparison, stands in quotes too, and
    /// so does a value that begins with such a sign. Spaces around the comparison count for nothing.
    package init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= Limits.conditionBytes else {
            throw .invalid("a condition has at most \(Limits.conditionBytes) bytes")
        }
        var rest = JSONPath.trimmed(text[...])
        path = try JSONPath(beginOf: &rest)
        guard !rest.isEmpty else {
            (comparison, value) = (nil, .null)
            return
        }
        // By bytes, because an accent behind a sign makes one character with it.
        guard let comparison = Comparison.allCases.first(where: { rest.utf8.starts(with: $0.rawValue.utf8) }) else {
            throw .invalid("the condition \(text) has no comparison after its path: one of = != < <= > >= ~")
        }
        let value = JSONPath.trimmed(Substring(rest.unicodeScalars.dropFirst(comparison.rawValue.utf8.count)))
        if let sign = value.first, "=!<>".contains(sign) {
            throw .invalid(
                "the condition \(text) has no comparison that is known: they are = != < <= > >= ~; a value that begins "
                    + "with \(sign) stands in double quotes")
        }
        self.comparison = comparison
        let read = Self.value(value)
        // A part of a text is a text, also when it reads as a number.
        if comparison == .contains, case .string = read {
            self.value = read
        } else {
            self.value = comparison == .contains ? .string(String(value)) : read
        }
    }

    /// Whether an event fulfils it. A member that is not there fulfils nothing but `!=`; numbers and texts are only ever
    /// more or less than their like, and only a text contains a text.
    ///
    /// Only the member is built, so looking at an event costs little more than passing its bytes.
    /// - Parameter event: its text, as it is stored.
    func holds(_ event: UnsafeBufferPointer<UInt8>) throws(JSONError) -> Bool {
        holds(member: try path.place(in: event).flatMap { ScannedObject.json($0, event) })
    }

    private func holds(member: JSON?) -> Bool {
        guard let comparison else { return member != nil }
        guard let member else { return comparison == .notEqual }
        switch comparison {
        case .equal: return Self.isSame(member, value)
        case .notEqual: return !Self.isSame(member, value)
        case .more: return Self.isOrdered(value, member)
        case .less: return Self.isOrdered(member, value)
        case .atLeast: return Self.isSame(member, value) || Self.isOrdered(value, member)
        case .atMost: return Self.isSame(member, value) || Self.isOrdered(member, value)
        case .contains: return Self.isPart(value, of: member)
        }
    }

    /// Whether a text has another one in it, byte by byte.
    private static func isPart(_ part: JSON, of whole: JSON) -> Bool {
        guard case .string(let part) = part, case .string(let whole) = whole else { return false }
        return whole.utf8.contains(part.utf8)
    }

    /// Texts are the same when they have the same bytes: ids of two users may differ only in how an accent is written.
    private static func isSame(_ left: JSON, _ right: JSON) -> Bool {
        guard case .string(let left) = left, case .string(let right) = right else { return left == right }
        return left.isSameText(as: right)
    }

    private static func isOrdered(_ left: JSON, _ right: JSON) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left.double < right.double
        case (.string(let left), .string(let right)): left < right
        default: false
        }
    }

    private static func value(_ text: Substring) -> JSON {
        // A value that is not JSON is a text without quotes.
        guard let json = try? JSON.parse([UInt8](text.utf8)) else { return .string(String(text)) }
        switch json {
        case .array, .object: return .string(String(text))
        default: return json
        }
    }
}
