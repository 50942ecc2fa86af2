import TributaryJSON

/// Functions of JavaScript's texts. A text is a Swift string, except one with half a surrogate pair, which is its UTF-16
/// units.
package enum RuleText {
    /// Whether JavaScript's `trim` removes the character.
    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }

    static func trimmed(_ text: Substring, start: Bool, end: Bool) -> Substring {
        var scalars = text.unicodeScalars
        if start { while let first = scalars.first, isBlank(first) { scalars.removeFirst() } }
        if end { while let last = scalars.last, isBlank(last) { scalars.removeLast() } }
        return Substring(scalars)
    }

    /// The same for a text with half a surrogate pair. All blanks are single units.
    static func trimmed(_ units: [UInt16], start: Bool, end: Bool) -> RuleValue {
        let isBlank = { (unit: UInt16) in Unicode.Scalar(unit).map(Self.isBlank) ?? false }
        var rest = units[...]
        if start { rest = rest.drop(while: isBlank) }
        if end, let last = rest.lastIndex(where: { !isBlank($0) }) { rest = rest[...last] }
        return RuleValue(units: Array(rest))
    }

    /// Changes a text with half a surrogate pair: all complete parts, while the halves stay.
    static func inParts(_ units: [UInt16], _ change: (String) -> String) -> RuleValue {
        var result: [UInt16] = []
        var part: [UInt16] = []
        func isHalf(_ place: Int) -> Bool {
            if UTF16.isLeadSurrogate(units[place]) {
                return place + 1 == units.count || !UTF16.isTrailSurrogate(units[place + 1])
            }
            guard UTF16.isTrailSurrogate(units[place]) else { return false }
            return place == 0 || !UTF16.isLeadSurrogate(units[place - 1])
        }
        for (place, unit) in units.enumerated() {
            guard isHalf(place) else {
                part.append(unit)
                continue
            }
            result += Array(change(String(decoding: part, as: UTF16.self)).utf16) + [unit]
            part = []
        }
        return RuleValue(units: result + Array(change(String(decoding: part, as: UTF16.self)).utf16))
    }

    /// The JSON text of a text with half a surrogate pair: all surrogates that have no partner as escapes.
    static func escaped(_ units: [UInt16]) -> String {
        var result = ""
        var part: [UInt16] = []
        func close() {
            result += JSON.string(String(decoding: part, as: UTF16.self)).description.dropFirst().dropLast()
            part = []
        }
        for (place, unit) in units.enumerated() {
            let isLead =
                UTF16.isLeadSurrogate(unit) && place + 1 < units.count && UTF16.isTrailSurrogate(units[place + 1])
            let isTrail = UTF16.isTrailSurrogate(unit) && place > 0 && UTF16.isLeadSurrogate(units[place - 1])
            if isLead || isTrail || !(UTF16.isLeadSurrogate(unit) || UTF16.isTrailSurrogate(unit)) {
                part.append(unit)
            } else {
                close()
                result += "\\u" + String(unit, radix: 16)
            }
        }
        close()
        return "\"" + result + "\""
    }

    static func uppercased(_ text: String) -> String {
        if isASCII(text) { return text.uppercased() }
        var result = ""
        for scalar in text.unicodeScalars { result += scalar.properties.uppercaseMapping }
        return result
    }

    /// A sigma at the end of a word has a letter of its own.
    static func lowercased(_ text: String) -> String {
        if isASCII(text) { return text.lowercased() }
        let scalars = Array(text.unicodeScalars)
        var result = ""
        for (place, scalar) in scalars.enumerated() {
            if scalar.value == 0x3A3, isFinalSigma(scalars, place) {
                result += "\u{3C2}"
            } else {
                result += scalar.properties.lowercaseMapping
            }
        }
        return result
    }

    private static func isFinalSigma(_ scalars: [Unicode.Scalar], _ place: Int) -> Bool {
        let before = scalars[..<place].last { !$0.properties.isCaseIgnorable }
        let after = scalars[(place + 1)...].first { !$0.properties.isCaseIgnorable }
        return before?.properties.isCased == true && after?.properties.isCased != true
    }

    static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    /// Whether the bytes are the same. Swift's own comparison takes two spellings of a letter for the same.
    static func areSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }

    /// The place in an array or a text that a key means.
    static func place(_ key: String) -> Int? { index(key).map { Int(clamping: $0) } }

    /// The value of an array index or of a key that stands before all others: "0" to "4294967294".
    static func index(_ key: String) -> UInt32? {
        let bytes = key.utf8
        guard let first = bytes.first, first &- UInt8(ascii: "0") < 10, bytes.count <= 10 else { return nil }
        guard first != UInt8(ascii: "0") || bytes.count == 1 else { return nil }
        guard bytes.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), let value = UInt32(key), value < .max else {
            return nil
        }
        return value
    }
}
