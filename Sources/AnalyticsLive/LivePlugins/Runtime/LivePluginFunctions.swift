import CTributaryScripts
@_spi(OwnScripts) import TributaryScript

/// The functions of the runtime's JavaScript that Swift calls. No script can reach or replace them.
struct LivePluginFunctions {
    /// `listFor(stage, type)`: the number of the list of plugins of a stage that handle a type of event.
    let listFor: ScriptFunction
    /// `run(list, text)`: passes an event through the plugins of a list.
    let run: ScriptFunction
    /// `notify(notice, settings, isInitial)`: passes a notice to all plugins.
    let notify: ScriptFunction
    /// `proceedAwaited()`: continues with the plugin that waited for a promise.
    let proceedAwaited: ScriptFunction
    /// `settleSignal()`: throws the error with which the promise of `processSignal` was rejected.
    let settleSignal: ScriptFunction
    /// `resume()`: switches off the plugin that was at work, and continues.
    let resume: ScriptFunction
    /// `stop()`: switches off the plugin that was at work.
    let stop: ScriptFunction
    /// `retract(message)`: undoes the last change of the event.
    let retract: ScriptFunction
    /// `takeFaults()`: the faults since the last call, as JSON.
    let takeFaults: ScriptFunction
    /// `signal(text, oldest)`: puts a signal into the buffer and passes it to `processSignal`.
    let signal: ScriptFunction
    /// `hasGenerator()`: whether the bundle has a `processSignal`.
    let hasGenerator: ScriptFunction
    /// `hidesSignals()`: whether a script declares `signals` itself.
    let hidesSignals: ScriptFunction
    /// `refillSignals(size, text)`: sets the size of the buffer, and puts the latest signals into it.
    let refillSignals: ScriptFunction
    /// `restoreNames()`: puts the published names back into the global scope.
    let restoreNames: ScriptFunction
    /// `useTextTypes()`: from now on plugins get "Initial" and "Refresh" in place of true and false.
    let useTextTypes: ScriptFunction
    /// The functions of a review; nil on a device.
    let review: LivePluginReviewFunctions?

    /// Evaluates the runtime's scripts in a new engine.
    ///
    /// - Parameter isReview: whether the bundle is only reviewed, which no device does.
    init(engine: ScriptEngine, host: LivePluginHost, isReview: Bool) throws(ScriptError) {
        try engine.expose("__host", host.answer)
        engine.console = host.console
        host.hasToStop = { [weak engine] in engine?.hasToStop ?? true }
        // These scripts have no guards: they are the library's own, and their loops are bounded.
        let sources = Self.sources + (isReview ? [Self.reviewSource] : [])
        for script in sources {
            try engine.runAsItIs(script.source, name: script.name, seconds: Self.startSeconds)
        }
        func function(_ name: String) throws(ScriptError) -> ScriptFunction {
            try engine.function("__runtime.\(name)", name: "runtime.js")
        }
        listFor = try function("listFor")
        run = try function("run")
        notify = try function("notify")
        proceedAwaited = try function("proceedAwaited")
        settleSignal = try function("settleSignal")
        resume = try function("resume")
        stop = try function("stop")
        retract = try function("retract")
        takeFaults = try function("takeFaults")
        signal = try function("signal")
        hasGenerator = try function("hasGenerator")
        hidesSignals = try function("hidesSignals")
        refillSignals = try function("refillSignals")
        restoreNames = try function("restoreNames")
        useTextTypes = try function("useTextTypes")
        review =
            isReview
            ? LivePluginReviewFunctions(
                instances: try function("reviewedInstances"), probe: try function("probe"),
                probeSignal: try function("probeSignal"))
            : nil
        try engine.runAsItIs("delete globalThis.__runtime", name: "runtime.js", seconds: Self.startSeconds)
    }

    /// In the order in which they run, because they build on each other.
    static let sources = EmbeddedScript.all(of: tributary_live_plugin_scripts)
    /// The script that only a review of a bundle runs, after `sources`.
    static let reviewSource = EmbeddedScript(tributary_live_plugin_review())

    /// The time for the runtime's own scripts; budgets are for the scripts of a bundle.
    private static let startSeconds = 10.0
}

/// The functions of review.js.
struct LivePluginReviewFunctions {
    /// `reviewedInstances()`: the live plugins that scripts have made, as JSON.
    let instances: ScriptFunction
    /// `probe(id, text)`: what a plugin does with an event, as JSON.
    let probe: ScriptFunction
    /// `probeSignal(text)`: what `processSignal` does with a signal, as JSON.
    let probeSignal: ScriptFunction
}
