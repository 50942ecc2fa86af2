import Foundation
package import TributaryJSON
package import TributaryScript

/// Runs the live plugins of one version of a bundle, in an engine of their own.
///
/// The event is passed to JavaScript and back once for all plugins of a stage. A plugin that throws, returns no event
/// or exceeds its budget passes the event on as it was before that plugin. Only `null` drops it. A new version is a new
/// runtime.
///
/// Threading: one caller at a time, from any thread. The bridge must not call the runtime while it runs. An event that
/// comes in spite of that goes on unchanged, and a notice waits until the script is done.
package final class LivePluginRuntime {
    /// The reason why nothing runs any more; nil while the runtime works.
    package private(set) var failure: ScriptError?
    /// Gets the steps of notices that had to wait.
    package var noticeHandler: (([LivePluginStep]) -> Void)?

    let engine: ScriptEngine
    let host: LivePluginHost
    let functions: LivePluginFunctions
    private let budget: LivePluginBudget
    /// The actions that scripts may take; nil when the app restricts nothing.
    package let permissions: ScriptPermissions?
    private var isRunning = false
    /// Whether scripts have processed a signal.
    private var hasProcessed = false
    private var waiting: [LivePluginNotice] = []
    /// The numbers of lists of plugins. They stay the same as long as the runtime lives.
    private var lists: [ListKey: Double] = [:]

    /// Starts a runtime without plugins.
    ///
    /// - Parameters:
    ///   - writeKey: the client's write key, for the predefined `analytics`.
    ///   - version: the bundle's version, which is in the events of scripts.
    ///   - permissions: the actions that scripts may take; nil allows all.
    ///   - bridge: held weakly.
    ///   - isReview: whether the bundle is only reviewed: `LivePluginRuntime+Review` needs it.
    ///   - hasEngineLimit: whether to use the engine's own limit besides the guards.
    ///   - isWithdrawn: called at intervals while a script runs, perhaps on another thread. True stops the script and ends
    ///     the runtime. The event continues as it was.
    /// - Throws: `ScriptError` when there is no engine.
    package convenience init(
        writeKey: String, version: String, budget: LivePluginBudget = LivePluginBudget(),
        permissions: ScriptPermissions? = nil, bridge: any LivePluginBridge, isReview: Bool = false,
        hasEngineLimit: Bool = ScriptEngine.canStopScripts,
        isWithdrawn: (() -> Bool)? = nil
    ) throws(ScriptError) {
        let engine = try ScriptEngine(budget: budget.ofEvents, hasEngineLimit: hasEngineLimit)
        try self.init(
            writeKey: writeKey, version: version, budget: budget, permissions: permissions, bridge: bridge,
            isReview: isReview, engine: engine, isWithdrawn: isWithdrawn)
    }

    /// Starts a runtime in an engine that nothing else uses.
    init(
        writeKey: String, version: String, budget: LivePluginBudget, permissions: ScriptPermissions? = nil,
        bridge: any LivePluginBridge, isReview: Bool = false, engine: ScriptEngine, isWithdrawn: (() -> Bool)? = nil
    ) throws(ScriptError) {
        self.budget = budget
        self.permissions = permissions
        self.engine = engine
        host = LivePluginHost(
            writeKey: writeKey, version: version, faultLimit: budget.faults, permissions: permissions, bridge: bridge)
        functions = try LivePluginFunctions(engine: engine, host: host, isReview: isReview)
        engine.isWithdrawn = isWithdrawn
    }

    /// The plugins that were added, in order.
    package var registrations: [LivePluginRegistration] { host.plugins.all }

    /// Evaluates a script of the bundle, which adds its plugins. A first line with tables runs before it; lines in errors are
    /// those behind it.
    ///
    /// - Parameters:
    ///   - name: the name of the script in errors.
    ///   - sourceMap: the source map of a generated script. A source map inside the script is found without it.
    /// - Throws: `ScriptError`. The plugins that were added before stay, so do not use the runtime any more.
    package func load(source: String, name: String, sourceMap: SourceMap? = nil) throws(ScriptError) {
        if let failure { throw failure }
        guard !isRunning else { throw ScriptError(.unusable, "a script is running", file: name) }
        isRunning = true
        host.begin(.load)
        defer { finish() }
        try engine.call(functions.restoreNames)
        let text = BundleText(source)
        if Self.writesUpdateTexts(text.code) { try engine.call(functions.useTextTypes) }
        try engine.sharingBudget(seconds: budget.loadSeconds) { () throws(ScriptError) in
            if let tables = text.tables {
                try engine.run(tables, name: Self.tablesName, seconds: budget.loadSeconds)
            }
            try engine.run(text.code, name: name, seconds: budget.loadSeconds, sourceMap: sourceMap)
        }
    }

    /// The name of the line with tables in errors.
    private static let tablesName = "tables.js"

    /// The scripts of the bundle that run without guards, with the reasons.
    package var unguardedScripts: [ScriptError] { engine.unguardedScripts }

    /// Whether a script compares the argument of `update` with the texts of other releases. In JavaScript a value
    /// cannot be a text and a Boolean, so the script decides which of them it gets.
    static func writesUpdateTexts(_ source: String) -> Bool {
        ["Initial", "Refresh"].contains { text in
            ["\"", "'", "`"].contains { quote in source.contains(quote + text + quote) }
        }
    }

    /// Whether a plugin of the stage handles events of the type. Does not enter JavaScript.
    package func handles(type: LivePluginType, destination: String? = nil, eventType: String) -> Bool {
        failure == nil
            && host.plugins.handle(eventType: eventType, at: type, destination: destination)
    }

    /// Whether there is a plugin at that place of a destination's timeline. Does not enter JavaScript.
    func stands(type: LivePluginType, destination: String) -> Bool {
        failure == nil && host.plugins.stand(at: type, destination: destination)
    }

    /// Whether the bundle has a `processSignal`. Enters JavaScript, so it is not for each signal.
    package var hasGenerator: Bool {
        guard failure == nil, !isRunning else { return false }
        return (try? engine.inspect(functions.hasGenerator))?.bool ?? false
    }

    /// The advice for a bundle that declares `signals` itself, as some documents do; nil for all others. Enters JavaScript.
    package var signalAdvice: String? {
        guard failure == nil, !isRunning, (try? engine.inspect(functions.hidesSignals))?.bool == true else {
            return nil
        }
        return
            "the script declares signals itself, and that buffer never gets the app's signals; leave the declaration out, "
            + "because signals is there already"
    }

    /// Passes an event through the plugins of a stage, one after the other. With permissions, scripts get only the members
    /// that they may see, and their changes are taken over as far as the app allows them.
    /// - Parameter known: the event's text, when the caller has it.
    package func run(
        type: LivePluginType, destination: String? = nil, event: JSON, text known: String? = nil
    ) -> LivePluginStageResult {
        guard let permissions else { return pass(event, text: known, through: type, of: destination) }
        return permissions.restricting(event, by: host) { pass($0, text: nil, through: type, of: destination) }
    }

    /// From now on, `takeRefusals` has the actions that the app did not allow.
    package func collectRefusals() { host.refusals = [] }

    /// The actions that the app did not allow since the last call, each once.
    package func takeRefusals() -> [String] {
        guard let refusals = host.refusals else { return [] }
        host.refusals = []
        var seen: Set<String> = []
        return refusals.filter { seen.insert($0).inserted }
    }

    private func pass(
        _ event: JSON, text known: String?, through type: LivePluginType, of destination: String?
    ) -> LivePluginStageResult {
        let eventType = event["type"]?.stringValue ?? ""
        guard !isRunning, handles(type: type, destination: destination, eventType: eventType) else {
            return LivePluginStageResult(event: event, steps: [])
        }
        isRunning = true
        host.begin(.event(event))
        defer { finish() }
        guard let list = list(of: LivePluginStage(type: type, destination: destination), eventType: eventType) else {
            return LivePluginStageResult(event: event, steps: [])
        }
        let text = known ?? event.description
        let turn = perform(functions.run, [.number(list), .string(text)])
        return result(of: turn, event: event, maximumBytes: max(text.utf8.count, LivePluginLimits.eventBytes))
    }

    /// The number of the list of plugins on the JavaScript side that are at a stage and handle a type of event; nil
    /// when the engine fails.
    private func list(of stage: LivePluginStage, eventType: String) -> Double? {
        let key = ListKey(stage: stage, events: LivePluginEvents(type: eventType))
        if let known = lists[key] { return known }
        do {
            let number = try engine.call(functions.listFor, [.string(stage.key), .string(eventType)]).number
            lists[key] = number
            return number
        } catch {
            if engine.state != .ready { failure = error }
            return nil
        }
    }

    /// Passes the client's settings to the plugins.
    ///
    /// - Parameter initial: true for the first settings.
    @discardableResult
    package func update(settings: JSON, initial: Bool) -> [LivePluginStep] {
        notify(.update(settings: settings.description, initial: initial))
    }

    /// Informs the plugins that the client was reset.
    @discardableResult
    package func reset() -> [LivePluginStep] { notify(.reset) }

    /// Informs the plugins that the client is flushed.
    @discardableResult
    package func flush() -> [LivePluginStep] { notify(.flush) }

    /// Passes a signal to the bundle's `processSignal`, if it has one, and keeps it for scripts to find.
    ///
    /// The first signal may take as long as loading, because the engine then compiles the functions that
    /// `processSignal` calls, and scripts build their tables.
    ///
    /// - Parameters:
    ///   - text: the signal as JSON text.
    ///   - distance: the number of steps from the app to the event that the signal was made of; 0 for all other
    ///     signals.
    ///   - oldest: the index of the oldest signal to keep.
    /// - Throws: `ScriptError` when the script throws or exceeds its budget. Only a `failure` ends the runtime.
    package func process(_ signal: JSON, text: String, distance: Int, oldest: Int) throws(ScriptError) {
        let seconds = hasProcessed ? budget.eventSeconds : max(budget.eventSeconds, budget.loadSeconds)
        hasProcessed = true
        try perform(
            .signal(signal, generation: distance), functions.signal, [.string(text), .number(Double(oldest))],
            seconds: seconds)
    }

    /// Gives the scripts the signals from before their start, without processing them again.
    ///
    /// - Parameters:
    ///   - size: the number of signals to keep from now on.
    ///   - text: an array of signals as JSON text, oldest first.
    package func refillSignals(size: Int, text: String) throws(ScriptError) {
        let material = JSON.null
        try perform(
            .signal(material, generation: 0), functions.refillSignals, [.number(Double(size)), .string(text)],
            seconds: budget.loadSeconds)
    }

    private func perform(
        _ task: LivePluginTask, _ function: ScriptFunction, _ arguments: [ScriptValue], seconds: Double? = nil
    ) throws(ScriptError) {
        if let failure { throw failure }
        guard !isRunning else { throw ScriptError(.unusable, "a script is running") }
        isRunning = true
        host.begin(task)
        defer { finish() }
        do {
            try engine.sharingBudget(seconds: seconds) { () throws(ScriptError) in
                let answer = try engine.call(function, arguments, seconds: seconds)
                if answer == .null { try engine.call(functions.settleSignal, seconds: seconds) }
            }
        } catch {
            if engine.state != .ready { failure = error }
            throw error
        }
    }

    /// Ends the runtime and releases its memory.
    package func teardown() {
        if failure == nil { failure = ScriptError(.unusable, "the runtime was closed") }
        engine.close()
    }

    // MARK: Turns

    private func notify(_ notice: LivePluginNotice) -> [LivePluginStep] {
        guard failure == nil, host.plugins.hear(notice.kind) else { return [] }
        guard !isRunning else {
            waiting.append(notice)
            return []
        }
        isRunning = true
        host.begin(.notice(notice.kind))
        defer { finish() }
        return perform(functions.notify, notice.arguments).steps
    }

    /// Ends a turn, and passes on the notices that have come meanwhile.
    private func finish() {
        isRunning = false
        if failure == nil, engine.state == .exhausted {
            failure = ScriptError(.memoryExceeded, "the live plugins hold more than \(budget.megabytes) MB")
        }
        guard !waiting.isEmpty else { return }
        let steps = notify(waiting.removeFirst())
        if !steps.isEmpty { noticeHandler?(steps) }
    }

    /// Calls the JavaScript side, and continues with the next plugin when one exceeds its budget.
    private func perform(_ function: ScriptFunction, _ arguments: [ScriptValue]) -> Turn {
        var breach: ScriptError?
        // Each time, one plugin is switched off, so this cannot happen more often than there are plugins.
        for _ in 0...registrations.count {
            let (function, arguments) = breach == nil ? (function, arguments) : (functions.resume, [])
            do {
                // The parts of async methods and the explanation of faults share one budget.
                return try engine.sharingBudget { () throws(ScriptError) in
                    turn(try awaited(try engine.call(function, arguments)), breach: breach)
                }
            } catch {
                breach = error
                // The exception is the runtime's own, because exceptions of plugins do not get here. The event and the
                // runtime go on.
                if error.reason == .exception { return turn(.undefined, breach: nil) }
                if error.reason != .timeExceeded || engine.state != .ready { break }
            }
        }
        failure = breach
        return turn((try? engine.inspect(functions.stop)) ?? .undefined, breach: breach)
    }

    /// The answer when no plugin waits for a promise any more. The engine has done all that promises had to do when a call
    /// ends, so each further call goes on with another plugin.
    private func awaited(_ value: ScriptValue) throws(ScriptError) -> ScriptValue {
        var value = value
        while value == .null { value = try engine.call(functions.proceedAwaited) }
        return value
    }

    private func turn(_ value: ScriptValue, breach: ScriptError?) -> Turn {
        let answer = LivePluginAnswer(value.text ?? "")
        let faults = answer.hasFaults ? takeFaults(breach: breach) : [:]
        let steps = answer.turns.compactMap { plugin, letter -> LivePluginStep? in
            guard registrations.indices.contains(plugin) else { return nil }
            return LivePluginStep(plugin: registrations[plugin].name, outcome: outcome(letter, faults[plugin]))
        }
        return Turn(answer: answer, steps: steps)
    }

    private func outcome(_ letter: UInt8, _ fault: LivePluginFault?) -> LivePluginOutcome {
        switch letter {
        case UInt8(ascii: "u"): .unchanged
        case UInt8(ascii: "c"): .changed
        case UInt8(ascii: "d"): .dropped
        default: .failed(fault ?? LivePluginFault(message: "unknown", line: nil, file: nil, isSwitchedOff: false))
        }
    }

    private func takeFaults(breach: ScriptError?) -> [Int: LivePluginFault] {
        guard let text = try? engine.inspect(functions.takeFaults).text, let reports = try? JSON.parse(text).elements
        else { return [:] }
        let faults = LivePluginAnswer.faults(reports, breach: breach?.message, explained: engine.explained)
        for (plugin, fault) in faults where fault.isSwitchedOff { host.plugins.switchOff(plugin) }
        return faults
    }

    // MARK: Events

    /// Reads the changed event. When Swift cannot use it, for instance because it is nested too deeply, the last plugin
    /// is at fault.
    private func result(of turn: Turn, event: JSON, maximumBytes: Int) -> LivePluginStageResult {
        var turn = turn
        var steps = turn.steps
        while !turn.answer.isDropped {
            do {
                guard let changed = try turn.answer.readEvent(from: event, maximumBytes: maximumBytes) else { break }
                return restored(changed, from: event, steps)
            } catch {
                turn = retract("the plugin's event cannot be used: \(error)")
                steps = Self.merge(steps, turn.steps)
            }
        }
        // A plain `nil` would be the JSON value `null` here.
        return LivePluginStageResult(event: turn.answer.isDropped ? Optional.none : event, steps: steps)
    }

    /// Restores the numbers that JavaScript cannot hold. For a single plugin, this side also finds out whether anything
    /// but the spelling has changed.
    private func restored(_ changed: JSONReading, from event: JSON, _ steps: [LivePluginStep]) -> LivePluginStageResult
    {
        let outcome = EventRestoration.restore(changed, from: event, remembered: host.handedOut)
        var steps = steps
        if steps.count == 1, steps[0].outcome == .changed, outcome.value == event {
            steps[0] = LivePluginStep(plugin: steps[0].plugin, outcome: .unchanged)
            return LivePluginStageResult(event: event, steps: steps)
        }
        return LivePluginStageResult(
            event: Self.guarded(outcome.value, as: event), steps: steps, collision: outcome.collision)
    }

    /// Scripts cannot change type, id and origin of an event. Later plugins and servers depend on the type, servers
    /// recognise events by their ids, and the origin says how far a script's event is from the app's.
    static func guarded(_ event: JSON, as original: JSON) -> JSON {
        var event = event
        for key in ["type", "messageId"] {
            if let value = original[key], event[key] != value { event[key] = value }
        }
        if let origin = original["context"]?[EventOrigin.key], event["context"]?[EventOrigin.key] != origin {
            var context = event["context"]?.objectValue ?? JSONObject()
            context[EventOrigin.key] = origin
            event["context"] = .object(context)
        }
        return event
    }

    private func retract(_ message: String) -> Turn {
        turn((try? engine.call(functions.retract, [.string(message)])) ?? .undefined, breach: nil)
    }

    /// The steps after a change was undone. Earlier failures keep their reason.
    private static func merge(_ known: [LivePluginStep], _ later: [LivePluginStep]) -> [LivePluginStep] {
        guard known.count == later.count else { return later }
        return zip(known, later).map { known, later in
            if case .failed = known.outcome { return known }
            return later
        }
    }

    /// Types of events without a method of their own share a list.
    private struct ListKey: Hashable {
        let stage: LivePluginStage
        let events: LivePluginEvents
    }

    /// The result of a call of the JavaScript side.
    private struct Turn {
        let answer: LivePluginAnswer
        let steps: [LivePluginStep]
    }
}
