public import TributaryJSON

/// Decides whether a rule concerns an event: `all`, or an expression of FQL.
///
/// Values, comparisons and functions follow JavaScript: a missing value is `undefined` and not `null`, lengths and
/// patterns count UTF-16 units, numbers are doubles. What an event holds is never taken for a part of the expression.
public struct FilterMatcher: Sendable {
    private let program: FilterProgram
    private let condition: Int32

    /// Compiles `{"type": "all" | "fql", "ir": text}`.
    ///
    /// - Throws: `FilterError` with the place inside the matcher, also for parts that evaluation might never reach.
    public init(_ json: JSON, limits: FilterLimits = FilterLimits()) throws(FilterError) {
        var compiler = FilterCompiler(limits: limits)
        condition = try compiler.matcher(json)
        program = compiler.finished()
    }

    /// True when the matcher's expression is true for the event. Safe to call from any thread.
    public func matches(_ event: JSON) -> Bool {
        FilterEvaluator.with(program) { evaluator in
            evaluator.look(at: event)
            return evaluator.isTrue(condition)
        }
    }
}
