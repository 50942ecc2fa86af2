import AnalyticsLive
import Dispatch
import Tributary
public import TributaryJSON
import TributaryScript

/// Runs a bundle on events of clients that cannot run it themselves, as the workspace does.
///
/// The scripts have the classes, the engine, the sandbox and the budgets of a device, and the plugins their order. Only the
/// plugins of the client's own timeline and of the cloud destination have a turn, because there are no destinations on a
/// device. An event that scripts make gets the user, the time and the context of the event that caused it, and an id that is
/// derived from its id. So the same events make the same events.
/// Threading: one caller at a time.
public final class WorkspaceRun {
    /// What became of an event.
    public struct Outcome: Sendable, Hashable {
        /// The event that goes on; nil when a plugin dropped it.
        public let event: JSON?
        /// Whether a plugin changed the event.
        public let isChanged: Bool
        /// The events that scripts made because of it, as they left the plugins.
        public let made: [JSON]
    }

    /// Why no script runs any more; nil while they do.
    public var failure: String? { runtime.failure?.message }

    private let runtime: LivePluginRuntime
    private let bridge: WorkspaceBridge
    private let counter: VersionCounter

    /// Loads a bundle.
    ///
    /// - Parameters:
    ///   - source: the script.
    ///   - name: the name of the script in faults.
    ///   - writeKey: the write key of the source, as scripts see it.
    ///   - version: the version of the bundle, as its events name it.
    ///   - settings: the settings for `update`.
    /// - Throws: `PluginTestError`, when the bundle cannot be loaded, with the place in the script.
    public init(
        source: String, name: String, writeKey: String, version: String,
        settings: JSON = PluginTestRun.usualSettings
    ) throws(PluginTestError) {
        counter = VersionCounter(version: version)
        bridge = WorkspaceBridge()
        do {
            runtime = try LivePluginRuntime(
                writeKey: writeKey, version: version, budget: LivePluginBudget(faults: Self.faults), bridge: bridge)
            try runtime.load(source: source, name: name)
        } catch {
            throw PluginTestError(error)
        }
        if let failure = runtime.failure { throw PluginTestError(failure) }
        counter.count(runtime.update(settings: settings, initial: true))
    }

    deinit { runtime.teardown() }

    /// Starts an engine and lets go of it, so that the next one needs no files. Keeps open the file by which the memory of
    /// scripts is watched.
    /// - Throws: `PluginTestError` when this system has no engine.
    public static func prepareForLifeWithoutFiles() throws(PluginTestError) {
        _ = try WorkspaceRun(source: "", name: "nothing.js", writeKey: "", version: "0")
        ProcessMemory.keepFileOpen()
    }

    /// Takes an event through the plugins.
    public func run(_ event: JSON) -> Outcome { run(event, text: nil) }

    /// Takes the text of an event through the plugins, which takes less time.
    /// - Throws: `JSONError` when the text is not JSON.
    public func run(_ text: [UInt8]) throws(JSONError) -> Outcome {
        run(try JSON.parse(text), text: String(decoding: text, as: UTF8.self))
    }

    private func run(_ event: JSON, text: String?) -> Outcome {
        let (after, isChanged) = passWithContext(event, text)
        var made: [JSON] = []
        var waiting = bridge.takeMade()
        // The runtime bounds how many events an event may cause.
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            counter.countMade()
            if let after = pass(next).after { made.append(after) }
            waiting += bridge.takeMade()
        }
        return Outcome(event: after, isChanged: isChanged, made: made)
    }

    /// What the plugins did since the last call, in the form of a health report; nil when they did nothing.
    public func takeHealth() -> JSON? {
        let health = counter.take()
        return health.isEmpty ? nil : health.json
    }

    /// Events of a device have a context, and scripts read it without a look whether it is there.
    private func passWithContext(_ event: JSON, _ text: String?) -> (after: JSON?, isChanged: Bool) {
        guard event["context"] == nil else { return pass(event, text) }
        var event = event
        event["context"] = [:]
        var (after, isChanged) = pass(event)
        if after?["context"] == [:] { after?["context"] = Optional.none }
        return (after, isChanged)
    }

    private func pass(_ event: JSON, _ text: String? = nil) -> (after: JSON?, isChanged: Bool) {
        bridge.begin(event)
        var (current, text) = (event, text)
        var isChanged = false
        for (type, destination) in Self.places {
            guard let result = run(type, destination, current, text) else { continue }
            guard let next = result.event else { return (nil, true) }
            guard result.steps.contains(where: { $0.outcome == .changed }) else { continue }
            (current, text, isChanged) = (next, nil, true)
        }
        // They see what was sent, and change nothing of it.
        for (type, destination) in Self.placesAfter { _ = run(type, destination, current) }
        return (current, isChanged)
    }

    /// The result of the plugins at a place; nil when none is there for that type of event.
    private func run(
        _ type: LivePluginType, _ destination: String?, _ event: JSON, _ text: String? = nil
    ) -> LivePluginStageResult? {
        guard
            runtime.handles(
                type: type, destination: destination, eventType: event["type"]?.stringValue ?? "")
        else { return nil }
        let start = DispatchTime.now().uptimeNanoseconds
        let result = runtime.run(type: type, destination: destination, event: event, text: text)
        counter.count(
            result, of: event.objectValue ?? JSONObject(), nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
        return result
    }

    /// The name of the workspace among the destinations.
    private static let cloud = "Segment.io"
    private static let places: [(LivePluginType, String?)] = [
        (.before, nil), (.enrichment, nil), (.before, cloud), (.enrichment, cloud),
    ]
    private static let placesAfter: [(LivePluginType, String?)] = [(.after, cloud), (.after, nil)]
    /// A device switches a plugin off after ten faults, and begins again with the next start of the app. Here one plugin sees
    /// the events of all users, so exceptions do not switch it off. A broken budget does.
    private static let faults = Int.max
}
