import TributaryJSON

/// One step of a path, read like `value[key]` in JavaScript, without inherited values.
struct PathKey: Sendable, Hashable {
    let name: String
    /// The position in an array or a string; nil for names that are not a position (`01`, `-1`).
    let index: Int?

    init(_ name: String) {
        self.name = name
        index = Self.arrayIndex(name)
    }

    /// The member, element, character or length; nil is `undefined`.
    func member(of value: JSON) -> JSON? {
        switch value {
        case .object(let object): return object[name]
        case .array(let elements):
            if name == "length" { return .number(JSONNumber(elements.count)) }
            guard let index, index < elements.count else { return nil }
            return elements[index]
        case .string(let text): return member(of: text)
        case .null, .bool, .number: return nil
        }
    }

    /// An empty string is falsy, so nothing below it is looked at.
    private func member(of text: String) -> JSON? {
        if text.isEmpty { return nil }
        if name == "length" { return .number(JSONNumber(text.utf16Count)) }
        guard let index, index < text.utf16Count else { return nil }
        let unit = text.utf16[text.utf16.index(text.utf16.startIndex, offsetBy: index)]
        return .string(String(decoding: CollectionOfOne(unit), as: UTF16.self))
    }

    /// The number that a canonical array index spells, as JavaScript defines it.
    static func arrayIndex(_ name: String) -> Int? {
        let digits = name.utf8
        guard let first = digits.first, digits.count <= 10 else { return nil }
        guard first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard digit &- UInt8(ascii: "0") < 10 else { return nil }
            value = value * 10 + UInt64(digit - UInt8(ascii: "0"))
        }
        // An `Int` may have 32 bits.
        return value < UInt64(UInt32.max) ? Int(exactly: value) : nil
    }
}
