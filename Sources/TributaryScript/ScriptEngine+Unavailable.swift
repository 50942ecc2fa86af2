#if !canImport(CTributaryJavaScriptCore) && !canImport(JavaScriptCore)

/// A JavaScript engine. This system has none, so no engine can be made.
public final class ScriptEngine {
    /// Whether the engine can be used.
    public enum State: Sendable, Hashable {
        case ready, exhausted, abandoned, closed
    }

    /// The importance of a line of a script's console.
    public enum ConsoleLevel: String, Sendable, Hashable {
        case debug, log, info, warn, error
    }

    /// Whether the engine can be used.
    public let state = State.closed
    /// Gets the lines that scripts write to their console.
    public var console: ((ConsoleLevel, String) -> Void)?
    /// The default budget of a call.
    public let budget: ScriptBudget

    package var isWithdrawn: (() -> Bool)?

    /// Always fails with the reason `unavailable`.
    public init(budget: ScriptBudget = ScriptBudget()) throws(ScriptError) {
        self.budget = budget
        throw Self.unavailable
    }

    package convenience init(budget: ScriptBudget, hasEngineLimit: Bool) throws(ScriptError) {
        try self.init(budget: budget)
    }

    /// Whether the engine has its own limit besides the guards in scripts.
    public static var canStopScripts: Bool { false }

    /// Always fails with the reason `unavailable`.
    public func run(_ source: String, name: String, line: Int = 1, seconds: Double? = nil) throws(ScriptError) {
        throw Self.unavailable
    }

    package func run(
        _ source: String, name: String, line: Int = 1, seconds: Double?, sourceMap: SourceMap?
    ) throws(ScriptError) { throw Self.unavailable }

    /// Always fails with the reason `unavailable`.
    @discardableResult
    public func evaluate(
        _ source: String, name: String, line: Int = 1, seconds: Double? = nil
    ) throws(ScriptError) -> ScriptValue { throw Self.unavailable }

    /// Always fails with the reason `unavailable`.
    public func function(_ source: String, name: String) throws(ScriptError) -> ScriptFunction {
        throw Self.unavailable
    }

    /// Always fails with the reason `unavailable`.
    @discardableResult
    public func call(
        _ function: ScriptFunction, _ arguments: [ScriptValue] = [], seconds: Double? = nil
    ) throws(ScriptError) -> ScriptValue { throw Self.unavailable }

    /// Always fails with the reason `unavailable`.
    @discardableResult
    public func call(
        _ name: String, _ arguments: [ScriptValue] = [], seconds: Double? = nil
    ) throws(ScriptError) -> ScriptValue { throw Self.unavailable }

    @_spi(OwnScripts) public func runAsItIs(
        _ source: String, name: String, seconds: Double, isOwn: Bool = true
    ) throws(ScriptError) { throw Self.unavailable }

    package func explained(_ errors: [ScriptError]) -> [ScriptError] { errors }

    package var unguardedScripts: [ScriptError] { [] }
    package var hasToStop: Bool { false }

    package func sharingBudget<Value>(
        seconds: Double? = nil, _ body: () throws(ScriptError) -> Value
    ) throws(ScriptError) -> Value { try body() }

    package func inspect(_ function: ScriptFunction) throws(ScriptError) -> ScriptValue { throw Self.unavailable }

    /// Always fails with the reason `unavailable`.
    public func expose(
        _ name: String, _ function: @escaping ([ScriptValue]) throws -> ScriptValue
    ) throws(ScriptError) { throw Self.unavailable }

    /// Does nothing.
    public func close() {}

    private static var unavailable: ScriptError {
        ScriptError(.unavailable, "this system has no JavaScript engine")
    }
}
#endif
