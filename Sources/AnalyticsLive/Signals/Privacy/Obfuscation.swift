import TributaryJSON

/// Makes values unreadable and keeps their form: letters become `X`, digits `9`; names of members and nulls stay.
enum Obfuscation {
    /// Digits of the longest number that is written. A longer one would say nothing more.
    private static let longestNumber = 15

    static func obfuscated(_ value: JSON) -> JSON {
        switch value {
        case .null: .null
        case .bool: "true/false"
        case .number(let number): self.number(number)
        case .string(let text): .string(self.text(text))
        case .array(let elements): .array(elements.map(obfuscated))
        case .object(let object): .object(members(object))
        }
    }

    static func members(_ object: JSONObject, keeping kept: Set<String> = []) -> JSONObject {
        var result = JSONObject()
        for (key, value) in object { result[key] = kept.contains(key) ? value : obfuscated(value) }
        return result
    }

    static func text(_ text: String) -> String {
        String(text.map { $0.isLetter ? "X" : $0.isNumber ? "9" : $0 })
    }

    /// Makes the parts of an address unreadable that may identify a person: the values of its query, its fragment and
    /// its user.
    static func address(_ address: String) -> String {
        var rest = Substring(address)
        var result = ""
        if let scheme = rest.firstRange(of: "://") {
            result += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            let host = rest.prefix { !"/?#".contains($0) }
            if let user = host.lastIndex(of: "@") {
                result += text(String(rest[..<user]))
                rest = rest[user...]
            }
        }
        guard let query = rest.firstIndex(where: { "?#".contains($0) }) else { return result + rest }
        return result + rest[..<query] + values(of: rest[query...])
    }

    /// Names in a query come before the first `=`. Everything else is made unreadable.
    private static func values(of query: Substring) -> String {
        var result = ""
        var part = ""
        var isName = false
        for letter in query {
            switch letter {
            case "=" where isName:
                result += part + "="
                part = ""
                isName = false
            case "?", "&", "#":
                result += text(part) + String(letter)
                part = ""
                isName = letter != "#"
            default: part.append(letter)
            }
        }
        return result + text(part)
    }

    private static func number(_ number: JSONNumber) -> JSON {
        let parts = number.description.split(separator: ".").map { String(repeating: "9", count: $0.count) }
        let text = parts.joined(separator: ".")
        guard parts.count <= 2, text.count <= longestNumber, let value = try? JSON.parse(text) else { return 999.99 }
        return value
    }
}

extension Substring {
    fileprivate func firstRange(of other: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(other) { return start..<index(start, offsetBy: other.count) }
            formIndex(after: &start)
        }
        return nil
    }
}
