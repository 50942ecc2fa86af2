import Foundation
import TributaryJSON

/// The personal ids in saved questions.
extension SavedView {
    /// How a question names a person.
    package enum Naming: Sendable {
        /// A condition asks for the person. Without the person, the question has no answer.
        case asks
        /// Another text has the id. It may be an ordinary word or number.
        case mentions
    }

    /// How the question names one of these ids; nil for a question that does not.
    package func naming(of ids: Set<String>) -> Naming? {
        let address = QueryReader(query: query.text)
        let conditions =
            address.texts("where") + ["steps", "first", "returning"].flatMap { Self.conditions(address.text($0)) }
        let filters = ["filter", "find"].compactMap { address.text($0) }
        if filters.contains(where: ids.contains) || conditions.contains(where: { Self.asks($0, ids) }) { return .asks }
        let texts = [name] + filters + ["where", "steps", "first", "returning"].flatMap { address.texts($0) }
        return texts.contains { text in ids.contains { Self.has(text, word: $0) } } ? .mentions : nil
    }

    /// The conditions of the events of a member of the address.
    private static func conditions(_ text: String?) -> [String] {
        guard let text, let json = try? JSON.parse([UInt8](text.utf8)) else { return [] }
        return (json.elements ?? [json]).flatMap { $0["where"]?.elements ?? [] }.compactMap(\.stringValue)
    }

    /// Whether a condition compares a member that names persons with one of the ids.
    private static func asks(_ text: String, _ ids: Set<String>) -> Bool {
        guard let condition = try? JSONCondition(text), condition.comparison != nil, namesPersons(condition.path.keys)
        else { return false }
        return ids.contains(condition.value.stringValue ?? condition.value.description)
    }

    /// The members that an erasure looks at, and the devices of events.
    private static func namesPersons(_ keys: [String]) -> Bool {
        guard let last = keys.last else { return false }
        return ["userId", "user_id", "previousId", "anonymousId"].contains(last)
            || Array(keys.suffix(2)) == ["traits", "id"]
    }

    /// Whether a text has an id that is no part of a longer word.
    private static func has(_ text: String, word: String) -> Bool {
        var rest = text[...]
        while let found = rest.range(of: word), !found.isEmpty {
            let before = text[..<found.lowerBound].last
            let after = text[found.upperBound...].first
            if !isOfWord(before), !isOfWord(after) { return true }
            rest = text[text.index(after: found.lowerBound)...]
        }
        return false
    }

    private static func isOfWord(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" } ?? false
    }
}
