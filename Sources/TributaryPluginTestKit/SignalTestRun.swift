import AnalyticsLive
public import TributaryJSON
import TributaryScript

/// Plays a recorded session of signals into a bundle's generators, and tells which events they make.
///
/// The scripts get the engine, the sandbox and the budgets of a device. What they send, store and log stays here.
/// Threading: one caller at a time.
public final class SignalTestRun {
    /// Gets what scripts write to their console, with its level.
    public var console: ((_ level: String, _ line: String) -> Void)? {
        get { bridge.console }
        set { bridge.console = newValue }
    }

    /// Whether the script has a `processSignal`; without one, nothing is made of any signal.
    public let hasGenerator: Bool

    private let runtime: LivePluginRuntime
    private let bridge: TestRunBridge

    /// Loads the generators.
    ///
    /// - Parameters:
    ///   - source: the script.
    ///   - name: what errors call it.
    /// - Throws: `PluginTestError`, when the script cannot be loaded, with its place.
    public init(
        source: String, name: String, console: ((_ level: String, _ line: String) -> Void)? = nil
    ) throws(PluginTestError) {
        let bridge = TestRunBridge()
        bridge.console = console
        self.bridge = bridge
        do {
            let runtime = try LivePluginRuntime(
                writeKey: TestRunBridge.writeKey, version: "trial",
                budget: LivePluginBudget(eventSeconds: PluginTestRun.budgetSeconds), bridge: bridge)
            self.runtime = runtime
            try runtime.load(source: source, name: name)
        } catch {
            throw PluginTestError(error)
        }
        if let failure = runtime.failure { throw PluginTestError(failure) }
        hasGenerator = runtime.hasGenerator
    }

    deinit { runtime.teardown() }

    /// Lets the generators process a signal, and returns the events that they made of it, and what went wrong.
    public func play(_ signal: JSON) -> SignalTestResult {
        bridge.beginSignal(signal)
        var fault: PluginTestError?
        do {
            try runtime.process(signal, text: signal.description, distance: 0, oldest: 0)
        } catch {
            fault = PluginTestError(error)
        }
        return SignalTestResult(index: signal["index"]?.intValue, events: bridge.end(), fault: fault)
    }

    /// Whether the generators were stopped for good, because of their memory.
    public var isOver: Bool { runtime.failure != nil }
}

/// What became of one signal.
public struct SignalTestResult: Sendable, Hashable {
    /// The signal's place in its session; nil when it has none.
    public let index: Int?
    /// The events that generators made of it, without what the client would add.
    public let events: [JSON]
    /// Why the generators did not come to their end.
    public let fault: PluginTestError?

    /// One object for each event, as `tributary signals replay --json` prints it.
    public var lines: [JSON] {
        events.map { event in
            ["signal": index.map { .number(JSONNumber($0)) } ?? .null, "event": event]
        }
    }
}
