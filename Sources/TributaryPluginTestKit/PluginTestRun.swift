public import AnalyticsLive
public import Foundation
public import TributaryJSON
import TributaryScript

/// Runs a bundle of live plugins on events, like a device, and returns what it did to each.
///
/// The scripts have the engine, the sandbox and the budgets of a device. The events, stored values and log lines of
/// scripts stay here.
/// Threading: one caller at a time.
///
/// ```swift
/// let source = """
///     class Euro extends LivePlugin {
///       constructor() { super(LivePluginType.enrichment, null); }
///       track(event) { event.properties.currency = "EUR"; return event; }
///     }
///     analytics.add(new Euro());
///     """
/// let bundle = try PluginTestRun(source: source, name: "euro.js")
/// let result = bundle.run(["type": "track", "event": "Order Completed", "properties": ["total": 42]])
/// print(result.after?["properties"]?["currency"] ?? .null, result.faults)
/// ```
public final class PluginTestRun {
    /// The default settings for `update`.
    public static let usualSettings: JSON = ["integrations": ["Segment.io": [:]]]
    /// Seconds for all plugins of one place in the timeline, for each event, as on a device.
    public static let budgetSeconds = 0.1

    /// The plugins that the bundle added, in their order.
    public var plugins: [TestedPlugin] { runtime.registrations.map(TestedPlugin.init) }
    /// Whether the bundle has a `processSignal`, which makes events of signals.
    public let hasGenerator: Bool
    /// Gets the lines that scripts write to their console, with the level.
    public var console: ((_ level: String, _ line: String) -> Void)? {
        get { bridge.console }
        set { bridge.console = newValue }
    }
    /// The time for which the processor loaded the bundle, in seconds. Other work of a busy machine is not in it.
    public let loadSeconds: Double
    /// The reasons why scripts of the bundle run without guards; empty for nearly every bundle.
    package var unguardedScripts: [String] { runtime.unguardedScripts.map(\.message) }
    /// The faults when the plugins got the settings.
    public let faultsOfUpdate: [PluginTestFault]
    /// The actions that the app does not allow and that scripts tried while they were loaded and got the settings.
    public let refusedAtStart: [String]

    private let runtime: LivePluginRuntime
    private let bridge: TestRunBridge
    private let destination: String?

    /// Loads a bundle.
    ///
    /// - Parameters:
    ///   - source: the script.
    ///   - name: the name of the script in errors.
    ///   - destination: the key of a destination. Its plugins also run, on the event for it. Default: none.
    ///   - settings: the settings for `update`.
    ///   - sourceMap: the source map of a generated script. Default: the source map inside the script, if any.
    ///   - allow: what the app allows to scripts, as `LivePlugins.init(allow:)` does. Default: everything.
    /// - Throws: `PluginTestError`, when the bundle cannot be loaded, with the place in the script.
    public init(
        source: String, name: String, destination: String? = nil, settings: JSON = PluginTestRun.usualSettings,
        sourceMap: Data? = nil, allow: [ScriptPermission]? = nil,
        console: ((_ level: String, _ line: String) -> Void)? = nil
    ) throws(PluginTestError) {
        self.destination = destination
        let bridge = TestRunBridge()
        bridge.console = console
        self.bridge = bridge
        let start = ProcessorTime.ofThread()
        do {
            let runtime = try LivePluginRuntime(
                writeKey: TestRunBridge.writeKey, version: "trial",
                budget: LivePluginBudget(eventSeconds: Self.budgetSeconds),
                permissions: allow.map(ScriptPermissions.init), bridge: bridge)
            self.runtime = runtime
            if allow != nil { runtime.collectRefusals() }
            try runtime.load(source: source, name: name, sourceMap: try Self.sourceMap(sourceMap))
        } catch {
            throw PluginTestError(error)
        }
        if let failure = runtime.failure { throw PluginTestError(failure) }
        loadSeconds = Self.seconds(since: start)
        hasGenerator = runtime.hasGenerator
        faultsOfUpdate = runtime.update(settings: settings, initial: true).compactMap(PluginTestFault.init)
        refusedAtStart = runtime.takeRefusals()
    }

    deinit { runtime.teardown() }

    /// Takes an event through the stages before, enrichment and after; what is returned after has no effect. With a destination, the event also goes through
    /// that destination's stages, after enrichment.
    ///
    /// Events that scripts make go through the stages after the stage that made them, with ids of their own, as on a device.
    /// The measured time is the processor time of the given event only.
    public func run(_ event: JSON) -> PluginTestResult {
        bridge.begin(event)
        let start = ProcessorTime.ofThread()
        let (after, first) = pass(event)
        let microseconds = Self.seconds(since: start) * 1e6
        let (sent, more) = passMade()
        var faults = (first + more).compactMap(PluginTestFault.init)
        if let failure = runtime.failure { faults.append(PluginTestFault(failure)) }
        return PluginTestResult(
            before: event, after: after,
            changedBy: first.filter { $0.outcome == .changed || $0.outcome == .dropped }.map(\.plugin), faults: faults,
            microseconds: microseconds, sent: sent, refused: runtime.takeRefusals())
    }

    /// Lets `processSignal` process a signal. The events that it makes go through the plugins, as on a device.
    /// - Returns: the events as they left the plugins, and the faults.
    public func play(_ signal: JSON) -> (made: [JSON], faults: [String]) {
        bridge.beginSignal(signal)
        var faults: [String] = []
        do {
            try runtime.process(signal, text: signal.description, distance: 0, oldest: 0)
        } catch {
            faults.append(PluginTestError(error).description)
        }
        let (sent, steps) = passMade()
        return (sent, faults + steps.compactMap(PluginTestFault.init).map(\.text))
    }

    /// Takes the events that scripts made through the plugins, and then the events that scripts made of them.
    private func passMade() -> (sent: [JSON], steps: [LivePluginStep]) {
        var sent: [JSON] = []
        var steps: [LivePluginStep] = []
        var made = bridge.takeMade()
        // The runtime bounds how many events an event may cause.
        while !made.isEmpty {
            let next = made.removeFirst()
            guard !next.isOfAnotherSource else {
                sent.append(next.event)
                continue
            }
            let (after, more) = pass(next.event)
            if let after { sent.append(after) }
            steps += more
            made += bridge.takeMade()
        }
        return (sent, steps)
    }

    /// The events that scripts make of an event, before any plugin sees those.
    func eventsMade(of event: JSON) -> [JSON] {
        bridge.begin(event)
        _ = pass(event)
        return bridge.end()
    }

    private func pass(_ event: JSON) -> (after: JSON?, steps: [LivePluginStep]) {
        var current: JSON? = event
        var steps: [LivePluginStep] = []
        for (type, destination) in places {
            guard let before = current else { break }
            let result = runtime.run(type: type, destination: destination, event: before)
            // What plugins return here has no effect, because the destinations have had the event.
            guard type != .after else {
                steps += result.steps.filter { PluginTestFault($0) != nil }
                continue
            }
            current = result.event
            steps += result.steps
        }
        return (current, steps)
    }

    static func sourceMap(_ json: Data?) throws(ScriptError) -> SourceMap? {
        guard let json else { return nil }
        guard let map = SourceMap(json: json) else { throw ScriptError(.badValue, "the source map cannot be read") }
        return map
    }

    private var places: [(LivePluginType, String?)] {
        let inner = destination.map { [(.before, $0), (.enrichment, $0), (.after, $0)] as [(LivePluginType, String?)] }
        return [(.before, nil), (.enrichment, nil)] + (inner ?? []) + [(.after, nil)]
    }

    private static func seconds(since start: UInt64) -> Double {
        max(0, Double(ProcessorTime.ofThread()) - Double(start)) / 1e9
    }
}
