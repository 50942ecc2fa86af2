package import TributaryJSON

/// The way to a member of an event: `properties.total`, `context."os.name"`, `properties.items.0.price`.
package struct JSONPath: Sendable, Equatable {
    /// From the event's root; a number counts the elements of an array.
    package let keys: [String]

    /// Reads a path and nothing else.
    package init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= Limits.conditionBytes else {
            throw .invalid("a path has at most \(Limits.conditionBytes) bytes")
        }
        var rest = Self.trimmed(text[...])
        try self.init(beginOf: &rest)
        guard rest.isEmpty else { throw .invalid("\(text) is no path such as properties.total") }
    }

    /// Reads the path with which a text begins, and leaves the rest.
    package init(beginOf rest: inout Substring) throws(Refusal) {
        keys = try Self.path(&rest)
    }

    /// Where in an event the member stands; nil when it is not there.
    ///
    /// Nothing is built, so looking at an event costs little more than passing its bytes.
    /// - Parameter event: its text, as it is stored.
    package func place(in event: UnsafeBufferPointer<UInt8>) throws(JSONError) -> Range<Int>? {
        var scanner = JSONScanner(event)
        return try Self.place(of: keys[...], &scanner)
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

    private static func path(_ rest: inout Substring) throws(Refusal) -> [String] {
        var path: [String] = []
        while true {
            let key = try key(&rest)
            guard !key.isEmpty, path.count < Limits.conditionDepth else {
                throw .invalid(
                    "a condition begins with a path of 1 to \(Limits.conditionDepth) keys, as in properties.total>10")
            }
            path.append(key)
            guard rest.unicodeScalars.first == "." else { return path }
            rest = Substring(rest.unicodeScalars.dropFirst())
        }
    }

    /// Reads scalar by scalar, because a quote and an accent behind it are one character.
    private static func key(_ rest: inout Substring) throws(Refusal) -> String {
        let scalars = rest.unicodeScalars
        guard scalars.first == "\"" else {
            let key = scalars.prefix { !signs.contains($0) }
            rest = Substring(scalars[key.endIndex...])
            return String(trimmed(Substring(key)))
        }
        let quoted = scalars.dropFirst()
        guard let end = quoted.firstIndex(of: "\"") else { throw .invalid("a quoted key has no end") }
        rest = trimmed(Substring(quoted[quoted.index(after: end)...]))
        return String(quoted[..<end])
    }

    /// The signs that end a key without quotes.
    private static let signs: Set<Unicode.Scalar> = [".", "=", "!", "<", ">", "~"]

    package static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " }
        let end = start.lastIndex { $0 != " " }
        return end.map { start[...$0] } ?? ""
    }
}

extension JSONScanner {
    /// Whether a key of the text is that one.
    fileprivate func isKey(_ key: Key, _ text: String) -> Bool {
        guard key.isEscaped else { return text.utf8.elementsEqual(bytes[key.range]) }
        let name = ScannedObject.text(key.range.lowerBound - 1..<key.range.upperBound + 1, bytes)
        return name?.isSameText(as: text) == true
    }
}
