package import TributaryJSON

/// Recognises signals that a broadcaster has made unreadable.
///
/// Such a signal names itself only by its form, which signals of other releases have as well: all letters are `X` and all
/// digits `9`.
package enum ObfuscationSign {
    /// Whether a stored signal is unreadable: its texts and numbers would not be what a generator on the device gets.
    package static func isUnreadable(_ signal: JSON) -> Bool {
        guard let data = signal["data"]?.objectValue else { return false }
        let readable = SignalRecord.readable(in: signal["type"]?.stringValue ?? "")
        var hasSome = false
        for (key, value) in data where !readable.contains(key) {
            guard let isEmpty = look(at: value) else { return false }
            if !isEmpty { hasSome = true }
        }
        return hasSome
    }

    /// True for a value without letters and digits, false for an unreadable one, nil for a readable one.
    private static func look(at value: JSON) -> Bool? {
        switch value {
        case .null: return true
        case .bool: return nil
        case .string("true/false"): return false
        case .string(let text): return look(at: text)
        case .number(let number): return look(at: number.description)
        case .array(let elements): return together(elements.map(look))
        case .object(let members): return together(members.map { look(at: $0.value) })
        }
    }

    private static func look(at text: String) -> Bool? {
        var isEmpty = true
        for letter in text where letter.isLetter || letter.isNumber {
            guard letter == "X" || letter == "9" else { return nil }
            isEmpty = false
        }
        return isEmpty
    }

    private static func together(_ parts: [Bool?]) -> Bool? {
        parts.reduce(true as Bool?) { all, part in
            guard let all, let part else { return nil }
            return all && part
        }
    }
}
