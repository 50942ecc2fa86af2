public import TributaryJSON

/// Decides whether a rule applies to an event: `all`, or an expression of FQL.
///
/// Values, comparisons and functions follow JavaScript: a missing value is `undefined` and not `null`, lengths and
/// patterns count UTF-16 units, numbers are doubles. The content of an event is never evaluated as a part of the
/// expression.
public struct FilterMatcher: Sendable {
    /// The invalid parts of the expression, in their order, even those that no event reaches.
    public let problems: [FilterError]

    private let program: FilterProgram
    private let condition: Int32

    /// Compiles `{"type": "all" | "fql", "ir": text}`.
    ///
    /// - Throws: `FilterError` with the place inside the matcher, when nothing of it is valid. When only parts are
    ///   invalid, `problems` lists them.
    public init(_ json: JSON, limits: FilterLimits = FilterLimits()) throws(FilterError) {
        var compiler = FilterCompiler(limits: limits)
        condition = try compiler.matcher(json)
        program = compiler.finished()
        problems = program.problems
    }

    /// Whether the matcher's expression is true for the event. Safe to call from any thread.
    ///
    /// - Throws: `FilterError` when the answer depends on an invalid part, or on a part that has no meaning for this
    ///   event. `and`, `or` and `in` stop as soon as the answer is known.
    public func matches(_ event: JSON) throws(FilterError) -> Bool {
        let (answer, fault) = FilterEvaluator.with(program) { evaluator in
            evaluator.look(at: event)
            return (evaluator.isTrue(condition), evaluator.takeFault())
        }
        if let fault { throw fault.error }
        return answer
    }
}
