import AnalyticsLive
public import TributaryJSON
import TributaryScript

/// Plays a recorded session of signals into a bundle's generators, and tells which events they make.
///
/// The scripts get the engine, the sandbox and the budgets of a device. What they send, store and log stays here.
/// Threading: one caller at a time.
public final class SignalTrial {
    /// Gets what scripts write to their console, with its level.
    public var console: ((_ level: String, _ line: String) -> Void)? {
        get { bridge.console }
        set { bridge.console = newValue }
    }

    /// Whether the script has a `processSignal`; without one, nothing is made of any signal.
    public let hasGenerator: Bool

    private let runtime: LivePluginRuntime
    private let bridge: TrialBridge

    /// Loads the generators.
    ///
    /// - Parameters:
    ///   - source: the script.
    ///   - name: what errors call it.
    /// - Throws: `TrialError`, when the script cannot be loaded, with its place.
    public init(
        source: String, name: String, console: ((_ level: String, _ line: String) -> Void)? = nil
    ) throws(TrialError) {
        let bridge = TrialBridge()
        bridge.console = console
        self.bridge = bridge
        do {
            let runtime = try LivePluginRuntime(
                writeKey: TrialBridge.writeKey, version: "trial",
                budget: LivePluginBudget(eventSeconds: PluginTrial.budgetSeconds), bridge: bridge)
            self.runtime = runtime
            try runtime.load(source: source, name: name)
        } catch {
            throw TrialError(error)
        }
        if let failure = runtime.failure { throw TrialError(failure) }
        hasGenerator = runtime.hasGenerator
    }

    deinit { runtime.teardown() }

    /// Lets the generators process a signal, and returns the events that they made of it, and what went wrong.
    public func play(_ signal: JSON) -> SignalTrialResult {
        bridge.beginSignal(signal)
        var fault: TrialError?
        do {
            try runtime.process(signal, text: signal.description, distance: 0, oldest: 0)
        } catch {
            fault = TrialError(error)
        }
        return SignalTrialResult(index: signal["index"]?.intValue, events: bridge.end(), fault: fault)
    }

    /// Whether the generators were stopped for good, because of their memory.
    public var isOver: Bool { runtime.failure != nil }
}

/// What became of one signal.
public struct SignalTrialResult: Sendable, Hashable {
    /// The signal's place in its session; nil when it has none.
    public let index: Int?
    /// The events that generators made of it, without what the client would add.
    public let events: [JSON]
    /// Why the generators did not come to their end.
    public let fault: TrialError?

    /// One object for each event, as `tributary signals replay --json` prints it.
    public var lines: [JSON] {
        events.map { event in
            ["signal": index.map { .number(JSONNumber($0)) } ?? .null, "event": event]
        }
    }
}
