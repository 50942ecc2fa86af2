import TributaryJSON

/// The compiled rules of one destination. This is a class so that its use copies nothing.
final class DestinationRules: Sendable {
    /// A matcher and its transformers.
    struct Pair: Sendable {
        /// The rule's position in `routingRules`.
        let rule: Int
        /// The matcher's condition in the program.
        let condition: Int32
        /// Positions in `transformers`.
        let transformers: Range<Int>
        /// The removals for an event for which the matcher's answer is unknown; nil when it is always known.
        let withholding: Range<Int>?
    }

    let program: FilterProgram
    let pairs: [Pair]
    let transformers: [FilterTransformer]
    private let triggers: TriggerIndex

    init(program: FilterProgram, pairs: [Pair], transformers: [FilterTransformer]) {
        self.program = program
        self.pairs = pairs
        self.transformers = transformers
        triggers = TriggerIndex(pairs.map(\.condition), of: program)
    }

    /// Has the same result as evaluating pair after pair, but looks only at pairs that may apply to the event.
    func apply(to event: inout JSON, random: () -> Double) -> FilterOutcome {
        FilterEvaluator.with(program) { evaluator in
            triggers.withCandidates { candidates in
                apply(to: &event, evaluator, candidates, random)
            }
        }
    }

    private func apply(
        to event: inout JSON, _ evaluator: FilterEvaluator, _ candidates: Candidates, _ random: () -> Double
    ) -> FilterOutcome {
        var outcome = FilterOutcome()
        evaluator.look(at: event)
        triggers.find(candidates, evaluator)
        var next = 0
        while let position = candidates.first(from: next) {
            next = position + 1
            let pair = pairs[position]
            let isMatch = evaluator.isTrue(pair.condition)
            let fault = pair.withholding == nil ? nil : evaluator.takeFault()
            guard isMatch || fault != nil else { continue }
            // Faults that affect every event were already reported when the rules were read.
            if fault?.isCertain == false { outcome.noteFailure(rule: pair.rule) }
            evaluator.forget()
            let work = fault == nil ? pair.transformers : pair.withholding ?? pair.transformers
            transform(&event, pair.rule, work, random, &outcome)
            if outcome.result == .dropped || next == pairs.count { break }
            evaluator.look(at: event)
            triggers.find(candidates, evaluator)
        }
        return outcome
    }

    private func transform(
        _ event: inout JSON, _ rule: Int, _ work: Range<Int>, _ random: () -> Double, _ outcome: inout FilterOutcome
    ) {
        var errors: [FilterError] = []
        for position in work {
            let effect = transformers[position].apply(to: &event, random: random, errors: &errors)
            if effect != .kept { outcome.note(effect == .dropped ? .dropped : .changed, rule: rule) }
            if effect == .dropped { break }
        }
        if !errors.isEmpty { outcome.noteFailure(rule: rule) }
    }
}

extension FilterOutcome {
    /// Records an action of a rule. A rule may act several times; rules come in ascending order.
    fileprivate mutating func note(_ result: Result, rule: Int) {
        self.result = result
        if rules.last != rule { rules.append(rule) }
    }

    fileprivate mutating func noteFailure(rule: Int) {
        if failedRules.last != rule { failedRules.append(rule) }
    }
}
