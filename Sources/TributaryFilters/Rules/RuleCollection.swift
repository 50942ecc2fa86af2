import TributaryJSON

/// Sorts routing rules by destination while they are compiled.
struct RuleCollection {
    private let limits: FilterLimits
    private var builders: [String: DestinationRulesBuilder] = [:]
    private var unassigned: [FilterProblem] = []

    init(limits: FilterLimits) { self.limits = limits }

    var rules: [String: DestinationRules] { builders.mapValues(\.rules) }

    var problems: [FilterProblem] {
        let all = unassigned + builders.values.flatMap(\.problems)
        // Sorting by the rule alone would not keep the order of the problems within a rule.
        return all.enumerated()
            .sorted { ($0.element.rule ?? -1, $0.offset) < ($1.element.rule ?? -1, $1.offset) }
            .map(\.element)
    }

    mutating func add(_ routingRules: JSON) {
        if routingRules.isNull { return }
        guard let list = routingRules.elements else {
            return note(nil, "", "the routing rules must be a list; no rule is applied")
        }
        for (position, json) in list.enumerated() { add(json, at: position) }
    }

    private mutating func add(_ json: JSON, at position: Int) {
        guard let object = json.objectValue else {
            return note(position, "", "a rule must be an object; it is left out")
        }
        switch object["destinationName"] {
        case nil, .null, .string(""): return
        case .string(let name):
            builders[name, default: DestinationRulesBuilder(destination: name, limits: limits)]
                .add(object, rule: position)
        default: note(position, "destinationName", "the destination must be a text; the rule is left out")
        }
    }

    private mutating func note(_ rule: Int?, _ path: String, _ message: String) {
        unassigned.append(
            FilterProblem(rule: rule, destination: nil, path: path, reason: .malformedRule, message: message))
    }
}
