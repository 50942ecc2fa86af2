package import TributaryJSON

/// The places of an object's members in its text, for requested names; the last one of a repeated key.
package struct ScannedObject {
    package let bytes: UnsafeBufferPointer<UInt8>
    /// In the order of the requested names.
    package private(set) var values: [Range<Int>?]
    private let names: [StaticString]
    /// Whether there is space between the tokens.
    package private(set) var hasSpace = false
    /// The object itself.
    package private(set) var range: Range<Int>

    /// Passes the object that begins at the scanner's place.
    /// - Parameters:
    ///   - member: the requested name of a member whose value is needed in more detail.
    ///   - pass: passes that value; called again for a repeated key.
    package init(
        _ scanner: inout JSONScanner, _ names: [StaticString], member: StaticString,
        _ pass: (inout JSONScanner) throws(JSONError) -> Void
    ) throws(JSONError) {
        let place = names.firstIndex { Self.same($0, member) }
        try self.init(&scanner, names) { scanner, index throws(JSONError) in
            guard let index, index == place else { return try scanner.value() }
            let start = scanner.position
            try pass(&scanner)
            return start..<scanner.position
        }
    }

    /// Passes the object that begins at the scanner's place.
    package init(_ scanner: inout JSONScanner, _ names: [StaticString]) throws(JSONError) {
        try self.init(&scanner, names) { scanner, _ throws(JSONError) in try scanner.value() }
    }

    /// - Parameter pass: passes the value of a member and returns its place; gets the place of its name.
    private init(
        _ scanner: inout JSONScanner, _ names: [StaticString],
        _ pass: (inout JSONScanner, Int?) throws(JSONError) -> Range<Int>
    ) throws(JSONError) {
        bytes = scanner.bytes
        self.names = names
        let start = scanner.position
        var values = [Range<Int>?](repeating: nil, count: names.count)
        let bytes = bytes
        scanner.forgetSpace()
        try scanner.object { scanner, key throws(JSONError) in
            let index = Self.index(of: key, in: names, bytes)
            let value = try pass(&scanner, index)
            if let index { values[index] = value }
        }
        self.values = values
        hasSpace = scanner.hasSpace
        range = start..<scanner.position
    }

    private static func index(
        of key: JSONScanner.Key, in names: [StaticString], _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        guard !key.isEscaped else {
            let text = Self.text(key.range.lowerBound - 1..<key.range.upperBound + 1, bytes)
            return names.firstIndex { $0.description == text }
        }
        let count = key.range.count
        for index in names.indices where names[index].utf8CodeUnitCount == count {
            let name = UnsafeBufferPointer(start: names[index].utf8Start, count: count)
            if name.elementsEqual(bytes[key.range]) { return index }
        }
        return nil
    }

    /// The place of a member's value; nil when the object has no member of that name. The name has to be one of the
    /// requested ones.
    package subscript(name: StaticString) -> Range<Int>? {
        for index in names.indices where names[index].utf8Start == name.utf8Start || Self.same(names[index], name) {
            return values[index]
        }
        return nil
    }

    private static func same(_ one: StaticString, _ other: StaticString) -> Bool {
        one.utf8CodeUnitCount == other.utf8CodeUnitCount
            && UnsafeBufferPointer(start: one.utf8Start, count: one.utf8CodeUnitCount).elementsEqual(
                UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
    }

    /// The place of a member's value unless that is null.
    package func value(_ name: StaticString) -> Range<Int>? {
        self[name].flatMap { bytes[$0.lowerBound] == UInt8(ascii: "n") ? nil : $0 }
    }

    /// A member's value when it is a text.
    package func text(_ name: StaticString) -> String? { self[name].flatMap { Self.text($0, bytes) } }

    /// A member's value as a value of its own; nil when there is none.
    package func json(_ name: StaticString) -> JSON? { self[name].flatMap { Self.json($0, bytes) } }

    /// The text of a string's place, quotes included; nil for every other value.
    package static func text(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
        let inner = UnsafeBufferPointer(rebasing: bytes[range.lowerBound + 1..<range.upperBound - 1])
        guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
        return json(range, bytes)?.stringValue
    }

    /// The scanner has checked the text, so this never fails for its places.
    package static func json(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> JSON? {
        let slice = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range]))
        do {
            return try JSON.parse(slice, limits: JSONLimits(depth: Limits.depth, bytes: slice.count))
        } catch {
            return nil
        }
    }
}
