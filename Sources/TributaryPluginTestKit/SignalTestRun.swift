import AnalyticsLive
public import TributaryJSON
import TributaryScript

/// Plays a recorded session of signals into a bundle's generators, and returns the events that they make.
///
/// The scripts have the engine, the sandbox and the budgets of a device. The events, stored values and log lines of
/// scripts stay here.
/// Threading: one caller at a time.
public final class SignalTestRun {
    /// Gets the lines that scripts write to their console, with the level.
    public var console: ((_ level: String, _ line: String) -> Void)? {
        get { bridge.console }
        set { bridge.console = newValue }
    }

    /// Whether the script has a `processSignal`. Without one, signals make no events.
    public let hasGenerator: Bool

    private let runtime: LivePluginRuntime
    private let bridge: TestRunBridge

    /// Loads the generators.
    ///
    /// - Parameters:
    ///   - source: the script.
    /// - name: the name of the script in errors.
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

    /// Lets the generators process a signal. Returns the events that they made, and the fault, if any.
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

    /// Whether a broadcaster has made a signal unreadable: all letters of its texts are `X`, all digits `9`.
    ///
    /// `SegmentBroadcaster` and `WebhookBroadcaster` do that unless a debug build says otherwise. A generator on the device
    /// gets the signal as it was, so it can make other events there.
    public static func isUnreadable(_ signal: JSON) -> Bool { ObfuscationSign.isUnreadable(signal) }

    /// Whether the generators were stopped for good, because of their memory.
    public var isOver: Bool { runtime.failure != nil }
}

/// The result of one signal.
public struct SignalTestResult: Sendable, Hashable {
    /// The signal's index in its session; nil when it has none.
    public let index: Int?
    /// The events that generators made, without the members that the client would add.
    public let events: [JSON]
    /// The reason why the generators did not finish.
    public let fault: PluginTestError?

    /// One object for each event, as `tributary signals replay --json` prints it.
    public var lines: [JSON] {
        events.map { event in
            ["signal": index.map { .number(JSONNumber($0)) } ?? .null, "event": event]
        }
    }
}
