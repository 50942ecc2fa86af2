import TributaryJSON

@testable import TributaryFilters

/// The plainest evaluation of rules: one pair after the other, each with its own look at the event. Compiled rules must
/// have the same outcome with fewer looks.
enum PlainRules {
    static func apply(_ routingRules: JSON, to event: inout JSON, random: () -> Double) -> FilterOutcome {
        var builder = DestinationRulesBuilder(destination: "Here", limits: FilterLimits())
        for (position, rule) in (routingRules.elements ?? []).enumerated() {
            guard let object = rule.objectValue, object["destinationName"] == "Here" else { continue }
            builder.add(object, rule: position)
        }
        let rules = builder.rules
        var outcome = FilterOutcome()
        for pair in rules.pairs {
            let (isMatch, fault) = FilterEvaluator.with(rules.program) { evaluator in
                evaluator.look(at: event)
                return (evaluator.isTrue(pair.condition), evaluator.takeFault())
            }
            guard isMatch || fault != nil else { continue }
            var errors: [FilterError] = []
            for position in fault == nil ? pair.transformers : pair.withholding ?? pair.transformers {
                let effect = rules.transformers[position].apply(to: &event, random: random, errors: &errors)
                if effect == .kept { continue }
                outcome.result = effect == .dropped ? .dropped : .changed
                outcome.rules.append(pair.rule)
                if effect == .dropped { break }
            }
            if fault?.isCertain == false || !errors.isEmpty { outcome.failedRules.append(pair.rule) }
            if outcome.result == .dropped { break }
        }
        outcome.rules = Array(Set(outcome.rules)).sorted()
        outcome.failedRules = Array(Set(outcome.failedRules)).sorted()
        return outcome
    }
}
