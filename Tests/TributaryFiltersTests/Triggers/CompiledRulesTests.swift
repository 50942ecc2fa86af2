import Testing
import TributaryJSON

@testable import TributaryFilters

/// Random rules over few places and values, so that many nearly match and each change matters to the rules behind it.
@Suite struct CompiledRulesTests {
    @Test("Compiled rules have the outcome of plain rules", arguments: 300..<304)
    func compiled(seed: UInt64) {
        var maker = RandomRules(seed: seed)
        var hits = 0
        for _ in 0..<80 {
            let rules = JSON.array((0..<Int.random(in: 1...70, using: &maker)).map { _ in maker.rule() })
            let filters = FilterRules(routingRules: rules, random: { 0.5 })
            for _ in 0..<6 {
                let event = maker.event()
                var (compiled, plain) = (event, event)
                let outcome = filters.apply(to: &compiled, destination: "Here")
                let expected = PlainRules.apply(rules, to: &plain, random: { 0.5 })
                #expect(outcome == expected, "\(rules) on \(event)")
                #expect(compiled.encoded() == plain.encoded(), "\(rules) on \(event)")
                hits += outcome.rules.count
            }
        }
        #expect(hits > 200, "the rules must have something to do")
    }

    /// Looking up all places in one pass finds what following each path finds.
    @Test("One pass over an event finds the value of each path", arguments: 400..<404)
    func onePass(seed: UInt64) throws {
        var maker = RandomJSON(seed: seed)
        for _ in 0..<100 {
            let event = maker.event()
            let paths = (0..<Int.random(in: 1...60, using: &maker)).compactMap { _ in maker.path().stringValue }
            var compiler = FilterCompiler(limits: FilterLimits())
            let conditions = try paths.map { path in
                let literal: JSON = FilterPath(path).value(in: event).map { ["value": $0] } ?? [:]
                return try compiler.matcher(fql((["=", .string(path), literal] as JSON).description))
            }
            FilterEvaluator.with(compiler.finished()) { evaluator in
                evaluator.look(at: event)
                for (path, condition) in zip(paths, conditions) {
                    #expect(evaluator.isTrue(condition), "\(path) of \(paths) in \(event)")
                }
            }
        }
    }
}
