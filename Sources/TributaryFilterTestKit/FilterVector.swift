import TributaryFilters
public import TributaryJSON

/// One test of the filter language with its expected answer, from a conformance file.
///
/// A vector of kind `matcher` applies `matcher` to `event` and expects a boolean. A vector of kind `transform` applies
/// `transformers` in order, and expects the resulting event, or null for a dropped one. A vector of kind `rule` does
/// the same with a whole routing rule. With `"throws": true` an error is expected.
public struct FilterVector: Sendable {
    /// An expected or an actual answer.
    public enum Answer: Sendable, Hashable, CustomStringConvertible {
        /// A boolean, an event, or null for a dropped event.
        case value(JSON)
        /// An error. Only its existence is compared.
        case error(String)

        /// The value as JSON, or the error in words.
        public var description: String {
            switch self {
            case .value(let json): json.description
            case .error(let message): message.isEmpty ? "an error" : "an error: \(message)"
            }
        }

        /// Whether both are errors, or the values are equal.
        public func agrees(with other: Answer) -> Bool {
            switch (self, other) {
            case (.value(let left), .value(let right)): left == right
            case (.error, .error): true
            default: false
            }
        }
    }

    enum Question: Sendable {
        case matcher(JSON)
        case transform([JSON])
        case rule(JSON)
    }

    /// The vector's name, from `test`; files may use one name several times.
    public let name: String
    /// The answer in the file.
    public let expected: Answer
    let question: Question
    let event: JSON

    /// Reads a vector.
    ///
    /// - Throws: `VectorError` when it is not a vector.
    public init(_ json: JSON) throws(VectorError) {
        guard json.objectValue != nil else { throw VectorError("a vector must be an object") }
        guard let event = json["event"] else { throw VectorError("'event' is missing") }
        self.event = event
        name = json["test"]?.stringValue ?? "(no name)"
        question = try Self.question(json)
        if json["throws"]?.boolValue == true {
            expected = .error("")
        } else if let value = json["expected"] {
            expected = .value(value)
        } else {
            throw VectorError("neither 'expected' nor 'throws' is there")
        }
    }

    private static func question(_ json: JSON) throws(VectorError) -> Question {
        switch json["kind"]?.stringValue {
        case "matcher":
            guard let matcher = json["matcher"] else { throw VectorError("'matcher' is missing") }
            return .matcher(matcher)
        case "transform":
            guard let list = json["transformers"]?.elements else { throw VectorError("'transformers' must be a list") }
            return .transform(list)
        case "rule":
            guard let rule = json["rule"], rule.objectValue != nil else {
                throw VectorError("'rule' must be an object")
            }
            return .rule(rule)
        case let kind:
            throw VectorError("the kind must be matcher, transform or rule, not \(kind.map { "'\($0)'" } ?? "missing")")
        }
    }

    /// The answer of this evaluator.
    public func answer() -> Answer {
        do throws(FilterError) {
            switch question {
            case .matcher(let json): return .value(.bool(try FilterMatcher(json).matches(event)))
            case .transform(let list): return .value(try transformed(list))
            case .rule(let rule): return .value(try filtered(rule))
            }
        } catch {
            return .error(error.description)
        }
    }

    private func transformed(_ list: [JSON]) throws(FilterError) -> JSON {
        var event = event
        for json in list where try FilterTransformer(json).apply(to: &event) == .dropped { return .null }
        return event
    }

    /// The result of the rule on a device, when the event reaches no invalid part.
    private func filtered(_ rule: JSON) throws(FilterError) -> JSON {
        try walk(rule)
        let destination = rule["destinationName"]?.stringValue ?? "any"
        var rule = rule
        rule["destinationName"] = .string(destination)
        var event = event
        let rules = FilterRules(routingRules: [rule])
        return rules.apply(to: &event, destination: destination).result == .dropped ? .null : event
    }

    /// Checks the parts of the rule that the event reaches. After a transformer drops the event, it reaches none.
    private func walk(_ rule: JSON) throws(FilterError) {
        guard let matchers = rule["matchers"]?.elements, let transformers = rule["transformers"]?.elements else {
            throw FilterError(.malformedRule, at: "", "a rule needs lists of matchers and transformers")
        }
        var event = event
        for position in 0..<max(matchers.count, transformers.count) {
            guard position < matchers.count, position < transformers.count, let list = transformers[position].elements
            else {
                throw FilterError(
                    .malformedRule, at: "[\(position)]", "a matcher and a list of transformers go in pairs")
            }
            guard try FilterMatcher(matchers[position]).matches(event) else { continue }
            for json in list where try drops(FilterTransformer(json), &event) { return }
        }
    }

    /// Whether a transformer drops the event. A missing place for a write is not an error of the rule: a device leaves
    /// that part out.
    private func drops(_ transformer: FilterTransformer, _ event: inout JSON) throws(FilterError) -> Bool {
        do throws(FilterError) {
            return try transformer.apply(to: &event) == .dropped
        } catch  where error.reason == .unwritable {
            return false
        }
    }
}
