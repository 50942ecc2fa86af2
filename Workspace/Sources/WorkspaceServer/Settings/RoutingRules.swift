import TributaryJSON

/// Checks routing rules before they are served: a device throws on a rule that it does not understand.
enum RoutingRules {
    private static let transformerTypes: Set<String> = [
        "drop", "drop_properties", "allow_properties", "map_properties", "sample_event", "hash_properties",
    ]

    /// - Throws: `APIError` that names the rule and what is wrong with it.
    static func check(_ json: JSON) throws(APIError) {
        guard let rules = json.elements else { throw .badRequest("filters must be a JSON array of rules") }
        for (index, rule) in rules.enumerated() {
            if let fault = fault(in: rule) { throw .badRequest("rule \(index): \(fault)") }
        }
    }

    private static func fault(in rule: JSON) -> String? {
        guard rule.objectValue != nil else { return "a rule must be an object" }
        for member in ["scope", "target_type", "destinationName"] {
            if let value = rule[member], !value.isNull, value.stringValue == nil { return "\(member) must be a text" }
        }
        guard let matchers = rule["matchers"]?.elements else { return "matchers must be an array" }
        guard let transformers = rule["transformers"]?.elements else { return "transformers must be an array" }
        guard matchers.count == transformers.count else {
            return
                "there are \(matchers.count) matchers and \(transformers.count) lists of transformers; they go in pairs"
        }
        return matchers.lazy.compactMap(fault(inMatcher:)).first ?? transformers.lazy.compactMap(fault(inList:)).first
    }

    private static func fault(inMatcher matcher: JSON) -> String? {
        switch matcher["type"]?.stringValue {
        case "all": return nil
        case "fql":
            guard let ir = matcher["ir"]?.stringValue else { return "an fql matcher needs its ir as a text" }
            if ir.isEmpty { return nil }
            do {
                _ = try JSON.parse(ir, limits: JSONLimits(depth: Limits.depth))
                return nil
            } catch {
                return "the ir of a matcher is not JSON: \(error)"
            }
        default: return "a matcher's type is \"all\" or \"fql\""
        }
    }

    private static func fault(inList list: JSON) -> String? {
        guard let transformers = list.elements else { return "each element of transformers must be an array" }
        for transformer in transformers {
            guard let type = transformer["type"]?.stringValue, transformerTypes.contains(type) else {
                return "a transformer's type is one of \(transformerTypes.sorted().joined(separator: ", "))"
            }
            if let config = transformer["config"], !config.isNull, config.objectValue == nil {
                return "the config of a transformer must be an object"
            }
        }
        return nil
    }
}
