import TributaryFilterTestKit
package import TributaryFilters
package import TributaryJSON

/// Checks routing rules before they are served. It uses the evaluator that the devices use.
///
/// It refuses rules that a device could not understand, because the device would then fall back to the safe side of the
/// rule. It also refuses rules that cannot do what they say (`FilterReview`), unless the operator wants them as they are.
/// It accepts members that only other servers of the protocol know.
package enum RoutingRules {
    /// How strictly rules are checked.
    package enum Strictness: Sendable {
        /// Rules have to be understood by devices, and to mean something.
        case meaning
        /// Rules have to be understood by devices.
        case form
    }

    /// The most problems that one answer lists.
    private static let namedProblems = 20

    /// - Throws: `Refusal` that lists the problems, each with its rule, its place and the reason.
    package static func check(_ json: JSON, for strictness: Strictness = .meaning) throws(Refusal) {
        guard json.elements != nil else { throw .invalid("filters must be a JSON array of rules") }
        var texts = problems(in: json).map(text)
        if strictness == .meaning, texts.isEmpty {
            texts = FilterReview(routingRules: json).findings.filter { $0.severity == .error }.map(\.description)
        }
        guard !texts.isEmpty else { return }
        var lines = Array(texts.prefix(namedProblems))
        let rest = texts.count - lines.count
        if rest > 0 { lines.append("and \(rest) more") }
        throw .invalid(lines.joined(separator: "\n"))
    }

    /// All problems, also those of rules that name no destination.
    package static func problems(in json: JSON) -> [FilterProblem] {
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

    /// The problem as one line of text.
    package static func text(_ problem: FilterProblem) -> String {
        let rule = problem.rule.map { "rule \($0)" } ?? "the rules"
        return "\(rule)\(problem.path.isEmpty ? "" : ", \(problem.path)"): \(problem.message)"
    }
}
