package import TributaryJSON

/// The names of consent categories, as destinations and policies list them. Upper and lower case differ, as in the events.
package enum ConsentCategories {
    package static let rule = """
        categories are a list of at most \(Limits.categories) names, each of 1 to \(Limits.categoryLength) characters with \
        \(PlainName.rule)
        """

    /// - Returns: the names in the order of the list, each once.
    package static func read(_ json: JSON) throws(Refusal) -> [String] {
        guard let elements = json.elements, elements.count <= Limits.categories else { throw .invalid(rule) }
        var names: [String] = []
        for element in elements {
            guard let name = element.stringValue, (1...Limits.categoryLength).contains(name.count),
                PlainName.isPlain(name), name.contains(where: { !$0.isWhitespace })
            else { throw .invalid(rule) }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }
}
