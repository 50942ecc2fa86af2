package import TributaryJSON

/// The properties of a source that an operator marked as personal, besides the names that the workspace knows.
package struct PersonalProperties: Sendable, Equatable {
    /// In the order in which they were given.
    package private(set) var names: [String] = []

    package init() {}

    /// Parses the form in which a policy has it: a list of names, which count at any depth.
    package init(_ json: JSON) throws(Refusal) {
        guard let elements = json.elements, elements.count <= Limits.personalProperties else { throw Self.invalid }
        for element in elements {
            guard let name = element.stringValue, !name.isBlank, name.utf8.count <= Limits.personalPropertyBytes else {
                throw Self.invalid
            }
            if !names.contains(name) { names.append(name) }
        }
    }

    package var json: JSON { .array(names.map(JSON.string)) }

    private static let invalid = Refusal.invalid(
        "personal is a list of at most \(Limits.personalProperties) names of properties, of 1 to "
            + "\(Limits.personalPropertyBytes) bytes each")
}

extension Limits {
    /// Properties of a source that are marked as personal, and bytes of the name of one.
    static let personalProperties = 200
    static let personalPropertyBytes = 200
}
