import TributaryJSON

/// A condition on a member of an event: `properties.total>10`, `context.os.name=iOS`, `properties.coupon`.
struct JSONCondition: Sendable, Equatable {
    enum Comparison: String, CaseIterable {
        // The longer ones first, because they are looked for in this order.
        case notEqual = "!=", atLeast = ">=", atMost = "<=", equal = "=", more = ">", less = "<"
    }

    /// The keys from the event's root; a number counts the elements of an array.
    let path: [String]
    /// Nil when the member only has to be there.
    let comparison: Comparison?
    let value: JSON

    /// Reads a condition. A value in double quotes is a text; without them, what reads as a number, `true`, `false` or
    /// `null` is that, and everything else a text. A key with a dot, or with a sign of comparison, stands in quotes too, and
    /// so does a value that begins with such a sign. Spaces around the comparison count for nothing.
    init(_ text: String) throws(APIError) {
        guard text.utf8.count <= Limits.conditionBytes else {
            throw .badRequest("a condition has at most \(Limits.conditionBytes) bytes")
        }
        var rest = Self.trimmed(text[...])
        path = try Self.path(&rest)
        guard !rest.isEmpty else {
            (comparison, value) = (nil, .null)
            return
        }
        guard let comparison = Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else {
            throw .badRequest("the condition \(text) has no comparison after its path: one of = != < <= > >=")
        }
        let value = Self.trimmed(rest.dropFirst(comparison.rawValue.count))
        if let sign = value.first, "=!<>".contains(sign) {
            throw .badRequest(
                "the condition \(text) has no comparison that is known: they are = != < <= > >=; a value that begins "
                    + "with \(sign) stands in double quotes")
        }
        self.comparison = comparison
        self.value = Self.value(value)
    }

    /// Whether an event fulfils it. A member that is not there fulfils nothing but `!=`; numbers and texts are only ever
    /// more or less than their like.
    ///
    /// Only the member is built, so looking at an event costs little more than passing its bytes.
    /// - Parameter event: its text, as it is stored.
    func holds(_ event: UnsafeBufferPointer<UInt8>) throws(JSONError) -> Bool {
        var scanner = JSONScanner(event)
        let place = try Self.place(of: path[...], &scanner)
        return holds(member: place.flatMap { ScannedObject.json($0, event) })
    }

    private func holds(member: JSON?) -> Bool {
        guard let comparison else { return member != nil }
        guard let member else { return comparison == .notEqual }
        switch comparison {
        case .equal: return member == value
        case .notEqual: return member != value
        case .more: return Self.isOrdered(value, member)
        case .less: return Self.isOrdered(member, value)
        case .atLeast: return member == value || Self.isOrdered(value, member)
        case .atMost: return member == value || Self.isOrdered(member, value)
        }
    }

    /// Passes the value that begins at the scanner's place, and says where in it the member of a path stands.
    private static func place(
        of path: ArraySlice<String>, _ scanner: inout JSONScanner
    ) throws(JSONError) -> Range<Int>? {
        guard let key = path.first else { return try scanner.value() }
        var place: Range<Int>?
        switch scanner.peek {
        case UInt8(ascii: "{"):
            try scanner.object { scanner, name throws(JSONError) in
                if scanner.isKey(name, key) {
                    place = try Self.place(of: path.dropFirst(), &scanner)
                } else {
                    try scanner.value()
                }
            }
        case UInt8(ascii: "["):
            var index = 0
            try scanner.array { scanner throws(JSONError) in
                if Int(key) == index {
                    place = try Self.place(of: path.dropFirst(), &scanner)
                } else {
                    try scanner.value()
                }
                index += 1
            }
        default: try scanner.value()
        }
        return place
    }

    private static func isOrdered(_ left: JSON, _ right: JSON) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left.double < right.double
        case (.string(let left), .string(let right)): left < right
        default: false
        }
    }

    private static func path(_ rest: inout Substring) throws(APIError) -> [String] {
        var path: [String] = []
        while true {
            let key = try key(&rest)
            guard !key.isEmpty, path.count < Limits.conditionDepth else {
                throw .badRequest(
                    "a condition begins with a path of 1 to \(Limits.conditionDepth) keys, as in properties.total>10")
            }
            path.append(key)
            guard rest.first == "." else { return path }
            rest.removeFirst()
        }
    }

    private static func key(_ rest: inout Substring) throws(APIError) -> String {
        guard rest.first == "\"" else {
            let key = rest.prefix { !".=!<>".contains($0) }
            rest = rest[key.endIndex...]
            return String(trimmed(key))
        }
        guard let end = rest.dropFirst().firstIndex(of: "\"") else { throw .badRequest("a quoted key has no end") }
        let key = rest[rest.index(after: rest.startIndex)..<end]
        rest = trimmed(rest[rest.index(after: end)...])
        return String(key)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " }
        let end = start.lastIndex { $0 != " " }
        return end.map { start[...$0] } ?? ""
    }

    private static func value(_ text: Substring) -> JSON {
        // What is no JSON is a text without quotes.
        guard let json = try? JSON.parse([UInt8](text.utf8)) else { return .string(String(text)) }
        switch json {
        case .array, .object: return .string(String(text))
        default: return json
        }
    }
}

extension JSONScanner {
    /// Whether a key of the text is that one.
    fileprivate func isKey(_ key: Key, _ text: String) -> Bool {
        guard key.isEscaped else { return text.utf8.elementsEqual(bytes[key.range]) }
        return ScannedObject.text(key.range.lowerBound - 1..<key.range.upperBound + 1, bytes) == text
    }
}
