#if canImport(CJavaScriptCore)
import CJavaScriptCore
#elseif canImport(JavaScriptCore)
import JavaScriptCore
#endif
#if canImport(CJavaScriptCore) || canImport(JavaScriptCore)

/// A JavaScript engine of its own: one virtual machine, one global object, a sandbox and a budget.
///
/// Scripts see ECMAScript without `eval`, `Function`, `Promise`, `async`, `WebAssembly`, `Atomics`, `WeakRef` and
/// `FinalizationRegistry`, a `console`, and what `expose` gives them; no files, no network, no timers.
///
/// Threading: one caller at a time, from any thread, so an engine is not `Sendable`. A function that was exposed runs
/// on the caller's thread and may use the engine again. Engines do not share anything and may run at the same time.
/// JavaScriptCore takes a lock of its own around each call; the account of the budget has none.
///
/// Scripts get guards before they run: each loop and each function counts, and looks at the budget now and then. So a
/// script that does not end is stopped everywhere. What guards cannot see is a single long step of the engine itself.
///
/// On Linux the first engine of a process switches JavaScriptCore's compilers off, unless the app used JavaScriptCore
/// before; SIGUSR1 belongs to JavaScriptCore from then on.
///
/// Where the engine has no limit of its own, scripts run on a thread of their own while the caller waits, which costs a
/// call 10 to 20 µs. When a call is still in such a step a second after its time, the caller goes on and the engine is
/// `abandoned`: nothing that the script does is seen any more, and it ends at its next guard.
public final class ScriptEngine {
    /// Whether the engine can be used.
    public enum State: Sendable, Hashable {
        case ready
        /// A script broke the memory budget. Nothing runs any more; close the engine to get the memory back.
        case exhausted
        /// A script did not end and no guard could stop it. It may still run, but reaches nothing outside of the engine.
        case abandoned
        case closed
    }

    /// How urgent a line of a script's console is.
    public enum ConsoleLevel: String, Sendable, Hashable {
        case debug, log, info, warn, error
    }

    /// Whether the engine can be used.
    public private(set) var state = State.ready
    /// Gets the lines that scripts write to their console, on the caller's thread; each at most 8,192 characters.
    public var console: ((ConsoleLevel, String) -> Void)?
    /// What one call may use unless it says otherwise.
    public let budget: ScriptBudget

    private let context: EngineContext
    private let watchdog: Watchdog
    /// Where scripts run; nil for the caller's thread.
    private let thread: ScriptThread?
    private var depth = 0
    private var calls = 0

    /// Starts an engine.
    ///
    /// - Parameter budget: what each call may use; 100 ms and 64 MB unless configured.
    /// - Throws: `ScriptError` with the reason `unavailable`, when JavaScriptCore cannot be started.
    public convenience init(budget: ScriptBudget = ScriptBudget()) throws(ScriptError) {
        try self.init(budget: budget, census: ScriptCensus())
    }

    /// Starts an engine.
    ///
    /// - Parameter hasEngineLimit: whether the engine's own limit is used besides the guards, where it has one.
    package convenience init(budget: ScriptBudget, hasEngineLimit: Bool) throws(ScriptError) {
        try self.init(budget: budget, census: ScriptCensus(), canStop: hasEngineLimit && Self.canStopScripts)
    }

    /// Starts an engine whose time, memory figure and account are given.
    ///
    /// - Parameter canStop: whether the engine stops scripts itself; else they run on a thread that can be given up.
    package init(
        budget: ScriptBudget, census: ScriptCensus,
        clock: @escaping () -> UInt64 = MonotonicClock.nanoseconds,
        processorTime: @escaping () -> UInt64 = ProcessorTime.ofThread,
        privateBytes: @escaping () -> Int? = ProcessMemory.privateBytes,
        canStop: Bool = ScriptEngine.canStopScripts
    ) throws(ScriptError) {
        #if canImport(CJavaScriptCore)
        _ = EngineOptions.applied
        #endif
        self.budget = budget
        let context = try EngineContext(census: census)
        self.context = context
        watchdog = Watchdog(
            group: context.group, budget: budget, canStop: canStop, clock: clock, processorTime: processorTime,
            privateBytes: privateBytes)
        thread = canStop ? nil : ScriptThread { context.close() }
        watchdog.arm()
        try buildSandbox()
    }

    deinit { close() }

    /// Whether the engine has a limit of its own besides the guards in scripts.
    ///
    /// True on Linux, unless other code of the app used JavaScriptCore before the first engine; false on Apple's
    /// systems, where that limit is private.
    public static var canStopScripts: Bool { Watchdog.canStop }

    /// Runs a script in the global scope for what it does; its value is not looked at.
    ///
    /// - Parameters:
    ///   - name: what errors call the file.
    ///   - line: the number of the first line.
    ///   - seconds: the budget of this call; the engine's unless given.
    /// - Throws: `ScriptError`; `refused` before anything runs when the source uses `async`, `await` or
    ///   `import`, or a name that begins with `__tributary_`.
    public func run(_ source: String, name: String, line: Int = 1, seconds: Double? = nil) throws(ScriptError) {
        if let refusal = AsyncScan.refusal(of: source, name: name, firstLine: line) { throw refusal }
        try budgeted(seconds, checksMemory: true) { context throws(ScriptError) in
            try context.run(source, name: name, line: line)
        }
    }

    /// Runs a script in the global scope, like `run`.
    ///
    /// - Returns: the value of the last statement. One that is an object must have a JSON form.
    @discardableResult
    public func evaluate(
        _ source: String, name: String, line: Int = 1, seconds: Double? = nil
    ) throws(ScriptError) -> ScriptValue {
        if let refusal = AsyncScan.refusal(of: source, name: name, firstLine: line) { throw refusal }
        return try budgeted(seconds, checksMemory: true) { context throws(ScriptError) in
            try context.evaluate(source, name: name, line: line)
        }
    }

    /// Evaluates an expression that is a function, and keeps it until the engine is closed.
    public func function(_ source: String, name: String) throws(ScriptError) -> ScriptFunction {
        if let refusal = AsyncScan.refusal(of: source, name: name, firstLine: 1) { throw refusal }
        return try budgeted(nil, checksMemory: false) { context throws(ScriptError) in
            ScriptFunction(context: context, index: try context.function(source, name: name))
        }
    }

    /// Runs a script without guards; what guards cost is measured with it, too.
    ///
    /// - Parameter isOwn: whether it is one of ours, which errors never name.
    @_spi(OwnScripts) public func runAsItIs(
        _ source: String, name: String, seconds: Double, isOwn: Bool = true
    ) throws(ScriptError) {
        try budgeted(seconds, checksMemory: true) { context throws(ScriptError) in
            try context.runAsItIs(source, name: name, isOwn: isOwn)
        }
    }

    /// An error as the author of a script sees it: places in our own scripts become that of the author's call.
    package func translated(_ error: ScriptError) -> ScriptError {
        state == .abandoned ? error : context.translated(error)
    }

    /// Scripts that run without guards, because the engine takes them only as they are, and why.
    package var unguardedScripts: [ScriptError] { state == .abandoned ? [] : context.unguarded }

    /// Whether the running script broke its budget, so that everything has to end that it is part of.
    package var hasToStop: Bool { watchdog.verdict != nil }

    /// Calls a function that was kept.
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

    /// Calls the function that a global variable holds at this moment.
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

    /// Calls a function even on an exhausted engine, to learn what it was doing when it was stopped.
    package func inspect(_ function: ScriptFunction) throws(ScriptError) -> ScriptValue {
        guard function.context === context else { throw ScriptError(.badValue, "a function of another engine") }
        return try budgeted(nil, checksMemory: false, evenIfExhausted: true) { context throws(ScriptError) in
            try context.call(function.index, [])
        }
    }

    /// Makes a Swift function available as a global variable.
    ///
    /// An error that it throws becomes an exception in the script. The engine keeps it until it is closed, so it must
    /// hold the engine weakly if it uses it.
    public func expose(
        _ name: String, _ function: @escaping ([ScriptValue]) throws -> ScriptValue
    ) throws(ScriptError) {
        guard state != .abandoned else { throw Self.abandonment }
        try context.expose(name, thread.map { Self.marshalled(function, by: $0) } ?? function)
    }

    /// Ends the engine and gives its memory back. Inside of a call, takes effect at its end.
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

    private func budgeted<Value>(
        _ seconds: Double?, checksMemory: Bool, evenIfExhausted: Bool = false,
        _ body: @escaping (EngineContext) throws(ScriptError) -> Value
    ) throws(ScriptError) -> Value {
        if !evenIfExhausted || state == .abandoned { try requireReady() }
        let seconds = seconds ?? budget.seconds
        let outer = watchdog.begin(seconds: seconds)
        depth += 1
        defer { finishCall(outer) }
        do {
            let result = try perform(seconds, body)
            if watchdog.verdict == nil {
                checkMemoryNowAndThen(always: checksMemory)
                return result
            }
        } catch  where watchdog.verdict == nil {
            throw error
        } catch {
            // The exception with which the engine unwinds says nothing; the verdict does.
        }
        throw breach(seconds: seconds)
    }

    /// Does the work, on the engine's thread if it has one.
    private func perform<Value>(
        _ seconds: Double, _ body: @escaping (EngineContext) throws(ScriptError) -> Value
    ) throws(ScriptError) -> Value {
        let (context, watchdog) = (context, watchdog)
        guard let thread else {
            watchdog.enter()
            return try body(context)
        }
        let outcome = Outcome<Value>()
        let isDone = thread.run(seconds: seconds + TimeLimit.waitingSeconds + Self.graceSeconds) {
            watchdog.enter()
            outcome.result = Result { () throws(ScriptError) -> Value in try body(context) }
        }
        guard isDone, let result = outcome.result else {
            state = .abandoned
            throw ScriptError(.timeExceeded, "the script was given up after \(Int(seconds * 1000)) ms")
        }
        return try result.get()
    }

    /// Written by the engine's thread, read by the caller when that has said that it is done.
    private final class Outcome<Value> {
        var result: Result<Value, ScriptError>?
    }

    /// The function on the caller's thread, for scripts that run on another one.
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

    /// Written by the caller, read by the engine's thread when it has the answer.
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
        default:
            ScriptError(.timeExceeded, "the script was stopped after \(Int(seconds * 1000)) ms")
        }
    }

    private func finishCall(_ outer: TimeLimit) {
        watchdog.end(outer)
        depth -= 1
        guard depth == 0, state != .abandoned else { return }
        if let verdict = watchdog.verdict { recover(from: verdict) }
        if state == .closed { closeContext() }
    }

    /// After a termination the next entry into the engine can fail once more, so it is one of ours.
    private func recover(from verdict: Watchdog.Verdict) {
        let runs = (0..<3).contains { _ in context.runsAgain() }
        if state == .ready, verdict == .memory || !runs { state = .exhausted }
        watchdog.clear()
        watchdog.arm()
    }

    /// Scripts that keep a little more with each short call never see a tick.
    private func checkMemoryNowAndThen(always: Bool) {
        calls &+= 1
        guard depth == 1, always || calls % Self.callsBetweenMemoryChecks == 0 else { return }
        watchdog.checkMemory(in: context.global)
    }

    /// Our own script is not what a budget is for.
    private static let sandboxSeconds = 10.0
    private static let callsBetweenMemoryChecks = 256
    /// Guards stop a script at the end of its time; only what they cannot see goes on, and is given up after this.
    private static let graceSeconds = 0.5

    // MARK: Sandbox

    private func buildSandbox() throws(ScriptError) {
        try expose("__console") { [weak self] arguments in
            let level = arguments.first?.text.flatMap(ConsoleLevel.init(rawValue:)) ?? .log
            self?.console?(level, arguments.dropFirst().first?.text ?? "")
            return .undefined
        }
        try context.expose("__ask") { [weak self] _ in .number(Double(self?.look() ?? 0)) }
        try budgeted(Self.sandboxSeconds, checksMemory: false) { context throws(ScriptError) in
            try context.runAsItIs("globalThis.__guardTexts = \(Self.guardTexts)", name: "guards.js", isOwn: true)
            try context.runAsItIs(SandboxSources.guards, name: "guards.js", isOwn: true)
            try context.runAsItIs(SandboxSources.sandbox, name: "sandbox.js", isOwn: true)
        }
    }

    /// What a guard asks, on the thread of the script: how many guards may pass until the next time.
    private func look() -> Int {
        thread?.isGivenUp == true ? 0 : watchdog.look(in: context.global)
    }

    /// As a list of JavaScript.
    private static let guardTexts =
        "[" + GuardText.all.map { "'\($0)'" }.joined(separator: ",") + "]"
}
#endif
