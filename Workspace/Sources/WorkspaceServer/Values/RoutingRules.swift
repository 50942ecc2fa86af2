import TributaryFilters
import TributaryJSON

/// Checks routing rules before they are served, with the evaluator that the devices have.
///
/// Refused is what a device could not understand, since it would fall back to the safe side of the rule, and what has
/// no effect that anybody could want. Everything else is taken, also members that only the field's servers know.
enum RoutingRules {
    /// Problems that one refusal names.
    private static let namedProblems = 20

    /// - Throws: `APIError` that names every problem with its rule, its place and what is wrong.
    static func check(_ json: JSON) throws(APIError) {
        guard json.elements != nil else { throw .badRequest("filters must be a JSON array of rules") }
        let problems = problems(in: json)
        guard !problems.isEmpty else { return }
        var lines = problems.prefix(namedProblems).map(text)
        let rest = problems.count - lines.count
        if rest > 0 { lines.append("and \(rest) more") }
        throw .badRequest(lines.joined(separator: "\n"))
    }

    /// All problems, also those of rules that name no destination and so concern no device.
    static func problems(in json: JSON) -> [FilterProblem] {
        let addressed = (json.elements ?? []).map { rule -> JSON in
            guard rule.objectValue != nil else { return rule }
            switch rule["destinationName"] {
            case nil, .null, .string(""):
                var rule = rule
                rule["destinationName"] = "every destination"
                return rule
            default: return rule
            }
        }
        return FilterRules(routingRules: .array(addressed)).problems
    }

    /// A problem on one line.
    static func text(_ problem: FilterProblem) -> String {
        let rule = problem.rule.map { "rule \($0)" } ?? "the rules"
        return "\(rule)\(problem.path.isEmpty ? "" : ", \(problem.path)"): \(problem.message)"
    }
}
