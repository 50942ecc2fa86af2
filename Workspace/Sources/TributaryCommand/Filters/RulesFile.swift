import TributaryJSON

/// The routing rules in a file: one rule, a list of them, or a whole settings document.
struct RulesFile {
    /// The destination for rules that name none, when no option names one.
    static let anyDestination = "any destination"

    private let list: [JSON]

    init(_ path: String) throws(Failure) {
        guard let list = Self.list(try InputFile.json(path)) else {
            throw Failure(
                "\(path) holds no rule, no list of rules and no settings with middlewareSettings.routingRules")
        }
        self.list = list
    }

    /// The list as the file has it.
    var rules: JSON { .array(list) }

    /// The list with a destination for every rule.
    /// - Parameter destination: the destination for rules that name none.
    func rules(for destination: String?) -> JSON {
        .array(list.map { Self.addressed($0, to: destination ?? Self.anyDestination) })
    }

    private static func list(_ json: JSON) -> [JSON]? {
        if let list = json.elements { return list }
        if let list = json["middlewareSettings"]?["routingRules"]?.elements { return list }
        if let list = json["routingRules"]?.elements { return list }
        return json["transformers"] != nil || json["matchers"] != nil ? [json] : nil
    }

    private static func addressed(_ rule: JSON, to destination: String) -> JSON {
        guard rule.objectValue != nil else { return rule }
        switch rule["destinationName"] {
        case nil, .null, .string(""):
            var rule = rule
            rule["destinationName"] = .string(destination)
            return rule
        default: return rule
        }
    }
}
