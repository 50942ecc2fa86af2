import Foundation

#if canImport(CTributaryJavaScriptCore)
import CTributaryJavaScriptCore
#elseif canImport(JavaScriptCore)
import JavaScriptCore
#endif
#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)

/// A JavaScript engine of its own: one virtual machine, one global object, a sandbox and a budget.
///
/// Scripts have ECMAScript without modules, `eval`, `Function`, `WebAssembly`, `Atomics`, `WeakRef` and
/// `FinalizationRegistry`; a `console`; some small functions of browsers; and what `expose` gives them. They have no files,
/// network or timers. Work of promises that is left at the end of a call belongs to the call and to its budget.
///
/// Threading: one caller at a time, from any thread, so an engine is not `Sendable`. An exposed function runs on the
/// caller's thread and may use the engine again. Engines share nothing and may run at the same time. JavaScriptCore
/// takes a lock of its own around each call; the time for that is not part of the budget.
///
/// Scripts get guards before they run: each loop and each function counts, and checks the budget at intervals. So a
/// script that does not end is stopped everywhere. Guards cannot stop a single long step of the engine itself.
///
/// On Linux the first engine of a process switches JavaScriptCore's compilers off, unless the app used JavaScriptCore
/// before. JavaScriptCore owns SIGUSR1 from then on.
///
/// When the engine has no limit of its own, scripts run on a thread of their own while the caller waits, which costs a
/// call 10 to 20 µs. When a call is still in such a step one and a half seconds after its time, and the step has had half a
/// second of processor time beyond the budget, the caller continues and the engine is `abandoned`: the script has no effect
/// any more, and ends at its next guard. A thread that gets no processor is given up ten seconds later.
///
/// ```swift
/// let engine = try ScriptEngine()
/// try engine.run("function double(x) { return 2 * x }", name: "double.js")
/// print(try engine.call("double", [.number(21)]))
/// do {
///     try engine.run("while (true) {}", name: "endless.js", seconds: 0.1)
/// } catch {
///     print(error)    // says that the time was over
/// }
/// engine.close()
/// ```
public final class ScriptEngine {
    /// Whether the engine can be used.
    public enum State: Sendable, Hashable {
        case ready
        /// A script exceeded the memory budget. Nothing runs any more; close the engine to release the memory.
        case exhausted
        /// A script did not end and no guard could stop it. It may still run, but can reach nothing outside of the
        /// engine.
        case abandoned
        case closed
    }

    /// The importance of a line of a script's console.
    public enum ConsoleLevel: String, Sendable, Hashable {
        case debug, log, info, warn, error
    }

    /// Whether the engine can be used.
    public private(set) var state = State.ready
    /// Gets the lines that scripts write to their console, on the caller's thread. Each has at most 8,192 characters.
    public var console: ((ConsoleLevel, String) -> Void)?
    /// The default budget of a call.
    public let budget: ScriptBudget
    /// Called at intervals while a script runs, on its thread. True stops the script.
    package var isWithdrawn: (() -> Bool)? {
        get { watchdog.isWithdrawn }
        set { watchdog.isWithdrawn = newValue }
    }

    private let context: EngineContext
    private let watchdog: Watchdog
    /// The thread for scripts; nil runs them on the caller's thread.
    private let thread: ScriptThread?
    private var depth = 0
    private var calls = 0

    /// Starts an engine.
    ///
    /// - Parameter budget: the budget of each call; 100 ms and 64 MB unless configured.
    /// - Throws: `ScriptError` with the reason `unavailable`, when JavaScriptCore cannot be started.
    public convenience init(budget: ScriptBudget = ScriptBudget()) throws(ScriptError) {
        try self.init(budget: budget, census: ScriptCensus())
    }

    /// Starts an engine.
    ///
    /// - Parameter hasEngineLimit: whether to use the engine's own limit besides the guards, if it has one.
    package convenience init(budget: ScriptBudget, hasEngineLimit: Bool) throws(ScriptError) {
        try self.init(budget: budget, census: ScriptCensus(), canStop: hasEngineLimit && Self.canStopScripts)
    }

    /// Starts an engine with a given clock, memory figure and census.
    ///
    /// - Parameter canStop: whether the engine itself can stop scripts. Otherwise they run on a thread that can be
    ///   abandoned.
    package init(
        budget: ScriptBudget, census: ScriptCensus,
        clock: @escaping () -> UInt64 = MonotonicClock.nanoseconds,
        processorTime: @escaping () -> UInt64 = ProcessorTime.ofThread,
        privateBytes: @escaping () -> Int? = ProcessMemory.privateBytes,
        canStop: Bool = ScriptEngine.canStopScripts
    ) throws(ScriptError) {
        #if canImport(CTributaryJavaScriptCore)
        _ = EngineOptions.applied
        #endif
        self.budget = budget
        let context = try EngineContext(census: census)
        self.context = context
        watchdog = Watchdog(
            group: context.group, budget: budget, canStop: canStop, clock: clock, processorTime: processorTime,
            privateBytes: privateBytes)
        thread = canStop ? nil : ScriptThread { context.close() }
        try buildSandbox()
    }

    deinit { close() }

    /// Whether the engine has its own limit besides the guards in scripts.
    ///
    /// True on Linux, unless other code of the app used JavaScriptCore before the first engine; false on Apple's
    /// systems, where that limit is private.
    public static var canStopScripts: Bool { Watchdog.canStop }

    /// Runs a script in the global scope, without its value.
    ///
    /// - Parameters:
    ///   - name: the name of the file in errors.
    ///   - line: the number of the first line.
    ///   - seconds: the budget of this call; the engine's unless given.
    /// - Throws: `ScriptError`; `refused` before anything runs when the source uses `import`, or a name that begins with
    ///   `__tributary_`.
    public func run(_ source: String, name: String, line: Int = 1, seconds: Double? = nil) throws(ScriptError) {
        try run(source, name: name, line: line, seconds: seconds, sourceMap: nil)
    }

    /// Runs a generated script. Errors name the places in its sources.
    ///
    /// - Parameter sourceMap: the source map of the script; nil for the source map inside the script, if any.
    package func run(
        _ source: String, name: String, line: Int = 1, seconds: Double?, sourceMap: SourceMap?
    ) throws(ScriptError) {
        try budgeted(seconds, checksMemory: true) { context throws(ScriptError) in
            try context.run(source, name: name, line: line, sourceMap: sourceMap)
        }
    }

    /// Runs a script in the global scope, like `run`.
    ///
    /// - Returns: the value of the last statement. An object must have a JSON form.
    @discardableResult
    public func evaluate(
        _ source: String, name: String, line: Int = 1, seconds: Double? = nil
    ) throws(ScriptError) -> ScriptValue {
        return try budgeted(seconds, checksMemory: true) { context throws(ScriptError) in
            try context.evaluate(source, name: name, line: line)
        }
    }

    /// Evaluates an expression to a function, and keeps the function until the engine is closed.
    public func function(_ source: String, name: String) throws(ScriptError) -> ScriptFunction {
        return try budgeted(nil, checksMemory: false) { context throws(ScriptError) in
            ScriptFunction(context: context, index: try context.function(source, name: name))
        }
    }

    /// Runs a script without guards. Also measures what guards cost.
    ///
    /// - Parameter isOwn: whether it is one of the library's own scripts, which errors never name.
    @_spi(OwnScripts) public func runAsItIs(
        _ source: String, name: String, seconds: Double, isOwn: Bool = true
    ) throws(ScriptError) {
        try budgeted(seconds, checksMemory: true, isOwn: isOwn) { context throws(ScriptError) in
            try context.runAsItIs(source, name: name, isOwn: isOwn)
        }
    }

    /// Errors for the author of a script, without their stacks: places in the library's own scripts become the place of the
    /// author's call.
    ///
    /// The time for that counts in the budget. When the budget is used up, only the first error gets the place in the author's
    /// file. The others keep the place in the script that the engine ran.
    package func explained(_ errors: [ScriptError]) -> [ScriptError] {
        guard !errors.isEmpty else { return [] }
        let watchdog = watchdog
        let found = try? budgeted(nil, checksMemory: false, evenIfExhausted: true) { context throws(ScriptError) in
            errors.enumerated().map { number, error in
                context.explained(error, findsPlace: number == 0 || !watchdog.isOver())
            }
        }
        return found ?? errors
    }

    /// Scripts that run without guards because the engine accepts them only so, with the reasons.
    package var unguardedScripts: [ScriptError] { state == .abandoned ? [] : context.unguarded }

    /// Whether the running script exceeded its budget, so that all work that it is part of has to end.
    package var hasToStop: Bool { state == .abandoned || watchdog.verdict != nil }

    /// Calls a kept function.
    ///
    /// - Parameter seconds: the budget of this call; the engine's unless given.
    @discardableResult
    public func call(
        _ function: ScriptFunction, _ arguments: [ScriptValue] = [], seconds: Double? = nil
    ) throws(ScriptError) -> ScriptValue {
        guard function.context === context else { throw ScriptError(.badValue, "a function of another engine") }
        return try budgeted(seconds, checksMemory: false) { context throws(ScriptError) in
            try context.call(function.index, arguments)
        }
    }

    /// Calls the function that is in a global variable now.
    ///
    /// - Parameter seconds: the budget of this call; the engine's unless given.
    @discardableResult
    public func call(
        _ name: String, _ arguments: [ScriptValue] = [], seconds: Double? = nil
    ) throws(ScriptError) -> ScriptValue {
        try budgeted(seconds, checksMemory: false) { context throws(ScriptError) in
            try context.call(global: name, arguments)
        }
    }

    /// Makes all calls inside of `body` share one budget.
    ///
    /// - Parameter seconds: the budget; the engine's unless given.
    package func sharingBudget<Value>(
        seconds: Double? = nil, _ body: () throws(ScriptError) -> Value
    ) throws(ScriptError) -> Value {
        guard state != .abandoned else { throw Self.abandonment }
        let outer = watchdog.begin(seconds: seconds ?? budget.seconds)
        // The thread that was given up may still use the watchdog.
        defer { if state != .abandoned { watchdog.end(outer) } }
        return try body()
    }

    /// Calls a function even on an exhausted engine, to find out what it was doing when it was stopped.
    package func inspect(_ function: ScriptFunction) throws(ScriptError) -> ScriptValue {
        guard function.context === context else { throw ScriptError(.badValue, "a function of another engine") }
        return try budgeted(nil, checksMemory: false, evenIfExhausted: true) { context throws(ScriptError) in
            try context.call(function.index, [])
        }
    }

    /// Makes a Swift function available as a global variable.
    ///
    /// An error that it throws becomes an exception in the script. The engine keeps the function until it is closed, so
    /// the function must hold the engine weakly if it uses it.
    public func expose(
        _ name: String, _ function: @escaping ([ScriptValue]) throws -> ScriptValue
    ) throws(ScriptError) {
        guard state != .abandoned else { throw Self.abandonment }
        try context.expose(name, thread.map { Self.marshalled(function, by: $0) } ?? function)
    }

    /// Closes the engine and releases its memory. Inside of a call, this takes effect at its end.
    public func close() {
        guard state != .abandoned else { return }
        state = .closed
        if depth == 0 { closeContext() }
    }

    private func closeContext() {
        context.close()
        thread?.end()
    }

    // MARK: Budget

    /// How often the engine's own limit was reached.
    var engineTicks: Int { watchdog.ticks }

    private func budgeted<Value>(
        _ seconds: Double?, checksMemory: Bool, evenIfExhausted: Bool = false, isOwn: Bool = false,
        _ body: @escaping (EngineContext) throws(ScriptError) -> Value
    ) throws(ScriptError) -> Value {
        if !evenIfExhausted || state == .abandoned { try requireReady() }
        let seconds = seconds ?? budget.seconds
        if depth == 0, !isOwn { watchdog.coverWithEngineLimit(seconds: seconds) }
        let outer = watchdog.begin(seconds: seconds)
        depth += 1
        defer { finishCall(outer) }
        do {
            let result = try perform(seconds, body)
            if watchdog.verdict == nil {
                checkMemoryNowAndThen(always: checksMemory)
                return result
            }
        } catch  where state == .abandoned || watchdog.verdict == nil {
            throw error
        } catch {
            // The exception with which the engine unwinds has no meaning. The verdict has.
        }
        throw breach(seconds: seconds)
    }

    /// Does work, on the engine's thread if it has one.
    private func perform<Value>(
        _ seconds: Double, _ body: @escaping (EngineContext) throws(ScriptError) -> Value
    ) throws(ScriptError) -> Value {
        let context = context
        guard let thread else { return try body(context) }
        let outcome = Outcome<Value>()
        let isDone = thread.run(ScriptThread.Patience(budget: seconds)) {
            outcome.result = Result { () throws(ScriptError) -> Value in try body(context) }
        }
        guard isDone, let result = outcome.result else {
            state = .abandoned
            throw ScriptError(.timeExceeded, "the script was given up after \(Int(seconds * 1000)) ms")
        }
        return try result.get()
    }

    /// The engine's thread writes it. The caller reads it after that thread has finished.
    private final class Outcome<Value> {
        var result: Result<Value, ScriptError>?
    }

    /// Calls the function on the caller's thread, for scripts that run on another one.
    private static func marshalled(
        _ function: @escaping NativeFunction.Body, by thread: ScriptThread
    ) -> NativeFunction.Body {
        { [weak thread] arguments in
            let outcome = CallOutcome()
            guard thread?.askCaller({ outcome.result = Result { try function(arguments) } }) == true,
                let result = outcome.result
            else { throw abandonment }
            return try result.get()
        }
    }

    /// The caller writes it. The engine's thread reads it when it has the answer.
    private final class CallOutcome {
        var result: Result<ScriptValue, any Error>?
    }

    private static var abandonment: ScriptError {
        ScriptError(.unusable, "the engine was given up because a script did not end")
    }

    private func requireReady() throws(ScriptError) {
        switch state {
        case .ready: return
        case .exhausted: throw ScriptError(.unusable, "the engine was switched off because of its memory")
        case .abandoned: throw Self.abandonment
        case .closed: throw ScriptError(.unusable, "the engine is closed")
        }
    }

    private func breach(seconds: Double) -> ScriptError {
        switch watchdog.verdict {
        case .memory:
            ScriptError(.memoryExceeded, "the scripts hold more than \(budget.megabytes) MB")
        case .withdrawal: ScriptError(.unusable, "the scripts were withdrawn")
        default:
            ScriptError(.timeExceeded, "the script was stopped after \(Int(seconds * 1000)) ms")
        }
    }

    private func finishCall(_ outer: TimeLimit) {
        depth -= 1
        // The thread that was given up may still use the watchdog.
        guard state != .abandoned else { return }
        watchdog.end(outer)
        guard depth == 0 else { return }
        if let verdict = watchdog.verdict { recover(from: verdict) }
        if state == .closed { closeContext() }
    }

    /// After a termination the next entry into the engine may fail once more, so a script of the library makes it.
    private func recover(from verdict: Watchdog.Verdict) {
        let runs = (0..<3).contains { _ in context.runsAgain() }
        if state == .ready, verdict == .memory || !runs { state = .exhausted }
        watchdog.clear()
    }

    /// Checks the memory at intervals. Scripts that keep a little more with each short call never reach a check of
    /// time.
    private func checkMemoryNowAndThen(always: Bool) {
        calls &+= 1
        guard depth == 1, always || calls % Self.callsBetweenMemoryChecks == 0 else { return }
        watchdog.checkMemory(in: context.global)
    }

    /// The budget is not meant for the library's own script.
    private static let sandboxSeconds = 10.0
    private static let callsBetweenMemoryChecks = 256

    // MARK: Sandbox

    private func buildSandbox() throws(ScriptError) {
        try expose("__console") { [weak self] arguments in
            let level = arguments.first?.text.flatMap(ConsoleLevel.init(rawValue:)) ?? .log
            self?.console?(level, arguments.dropFirst().first?.text ?? "")
            return .undefined
        }
        try context.expose("__ask") { [weak self] arguments in
            let waiting = arguments.first?.number.flatMap(Int.init(exactly:)) ?? 0
            return .number(Double(self?.look(waiting: waiting) ?? 0))
        }
        try context.expose("__newId") { _ in .string(UUID().uuidString.lowercased()) }
        let expressions = KnownExpressions()
        try context.expose("__expressionUse") { arguments in
            let texts = arguments.map { $0.text ?? "" }
            guard texts.count == 2 else { return .number(ExpressionUse.anyText.number) }
            return .number(expressions.expression(texts[0], texts[1]).use.number)
        }
        try context.expose("__expressionSteps") { arguments in
            guard arguments.count == 5, let pattern = arguments[0].text, let flags = arguments[1].text,
                let text = arguments[2].text
            else { return .number(-1) }
            let start = arguments[3].number.map { Int(max(0, min($0, Double(Int32.max)))) } ?? 0
            let steps = expressions.expression(pattern, flags).steps(
                in: text, from: start, isOneTry: arguments[4] == .bool(true))
            return .number(steps ?? -1)
        }
        try budgeted(Self.sandboxSeconds, checksMemory: false, isOwn: true) { context throws(ScriptError) in
            try context.runAsItIs("globalThis.__guardTexts = \(Self.guardTexts)", name: "guards.js", isOwn: true)
            for script in EmbeddedScript.sandbox {
                try context.runAsItIs(script.source, name: script.name, isOwn: true)
            }
        }
    }

    /// Called by a guard on the script's thread. Returns how many guards may pass until the next call.
    private func look(waiting: Int) -> Int {
        thread?.isGivenUp == true ? 0 : watchdog.look(in: context.global, waiting: waiting)
    }

    /// A list in JavaScript.
    private static let guardTexts =
        "[" + GuardText.all.map { "'\($0)'" }.joined(separator: ",") + "]"
}
#endif
