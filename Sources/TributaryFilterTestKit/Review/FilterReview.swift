public import TributaryJSON

/// Reads rules for their meaning: finds rules that are valid and cannot do what they say.
///
/// `FilterRules` finds what a device could not understand. This review begins where that one ends: it only looks at
/// parts that are well-formed.
///
/// ```swift
/// let rules: JSON = [["destinationName": "Amplitude", "matchers": [["type": "all"]], "transformers": [[["type": "drop"]]]]]
/// for finding in FilterReview(routingRules: rules).findings { print(finding) }
/// ```
public struct FilterReview: Sendable {
    /// All findings, in the order of the rules.
    public private(set) var findings: [FilterFinding] = []

    /// Reviews a list of rules.
    ///
    /// - Parameters:
    ///   - routingRules: the list; anything else has no findings.
    ///   - destinations: the destinations that are known, to recognise a name that is spelt wrong. Nil when they are not
    ///     known.
    public init(routingRules: JSON, destinations: Set<String>? = nil) {
        var closed: [String: Int] = [:]
        for (position, rule) in (routingRules.elements ?? []).enumerated() where rule.objectValue != nil {
            var review = RuleReview(position)
            review.destination(rule["destinationName"], known: destinations)
            review.pairs(rule)
            if let name = rule["destinationName"]?.stringValue, !name.isEmpty {
                if let earlier = closed[name] {
                    review.add(
                        .error, "", "rule \(earlier) drops every event for \(name), so this rule never gets one")
                } else if review.dropsEverything {
                    closed[name] = position
                }
            }
            findings += review.findings
        }
    }

    /// Whether a rule certainly cannot do what it says.
    public var hasErrors: Bool { findings.contains { $0.severity == .error } }
}

/// The review of one rule.
struct RuleReview {
    private let position: Int
    private(set) var findings: [FilterFinding] = []
    /// Whether no event passes this rule, whatever is in it.
    private(set) var dropsEverything = false

    init(_ position: Int) { self.position = position }

    mutating func add(_ severity: FilterFinding.Severity, _ path: String, _ message: String) {
        findings.append(FilterFinding(severity, rule: position, path: path, message))
    }

    mutating func destination(_ name: JSON?, known: Set<String>?) {
        switch name {
        case nil, .null, .string(""):
            add(
                .error, "destinationName",
                "the rule names no destination, so no device applies it; \"Segment.io\" is the workspace itself")
        case .string(let name):
            guard let known, !known.contains(name) else { return }
            let similar = SimilarName.nearest(to: name, among: known)
            let hint = similar.map { "; did you mean \"\($0)\"?" } ?? ""
            add(
                .warning, "destinationName",
                "neither the settings nor stored events know a destination \"\(name)\"\(hint)")
        default: break
        }
    }

    /// A matcher and its transformers form a pair.
    mutating func pairs(_ rule: JSON) {
        let (matchers, transformers) = (rule["matchers"]?.elements ?? [], rule["transformers"]?.elements ?? [])
        if matchers.isEmpty, transformers.isEmpty { return add(.error, "", "the rule has no matcher and does nothing") }
        for position in 0..<min(matchers.count, transformers.count) {
            var matcher = MatcherReview(at: "matchers[\(position)]")
            matcher.review(matchers[position])
            take(matcher.notes)
            let list = transformers[position].elements ?? []
            if list.isEmpty { add(.error, "transformers[\(position)]", "there is no transformer, so nothing happens") }
            var transformer = TransformerReview(at: "transformers[\(position)]")
            transformer.review(list)
            take(transformer.notes)
            if matcher.matchesEverything, transformer.dropsEverything { dropsEverything = true }
        }
    }

    private mutating func take(_ notes: [ReviewNote]) {
        for note in notes { add(note.severity, note.path, note.message) }
    }
}

/// A finding without the position of its rule, which the caller adds.
struct ReviewNote {
    let severity: FilterFinding.Severity
    let path: String
    let message: String
}
