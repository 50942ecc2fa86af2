import TributaryJSON
import TributaryScript

@testable import AnalyticsLive

/// A source that writes down what scripts ask of it.
class RecordingSource: LivePluginSource {
    var traits: JSON?
    var userId: String?
    var anonymousId: String?
    fileprivate(set) var calls: [JSON] = []

    func track(event: String, properties: JSON?, context: JSON) {
        calls.append(["track": .string(event), "properties": properties ?? "none", "context": context])
    }

    func identify(userId: String?, traits: JSON?, context: JSON) {
        calls.append([
            "identify": userId.map(JSON.string) ?? "none", "traits": traits ?? "none", "context": context,
        ])
    }

    func screen(title: String, category: String?, properties: JSON?, context: JSON) {
        calls.append([
            "screen": .string(title), "category": category.map(JSON.string) ?? "none",
            "properties": properties ?? "none", "context": context,
        ])
    }

    func group(groupId: String, traits: JSON?, context: JSON) {
        calls.append(["group": .string(groupId), "traits": traits ?? "none", "context": context])
    }

    func alias(newId: String, context: JSON) { calls.append(["alias": .string(newId), "context": context]) }

    func reset() { calls.append("reset") }

    func flush() { calls.append("flush") }
}

/// A client that writes down what scripts ask of it, and keeps their storage in memory.
final class RecordingBridge: RecordingSource, LivePluginBridge {
    var others: [String: RecordingSource] = [:]
    var storage: [String: JSON] = [:]
    private(set) var lines: [String] = []
    /// The events that the app has tracked besides the scripts.
    var appEvents = 0
    var trackedEvents: Int { appEvents + calls.count }
    /// Runs in the middle of a script's `analytics.reset()`.
    var onReset: (() -> Void)?

    private(set) var signals = 0

    func nextSignalIndex() -> Int {
        defer { signals += 1 }
        return signals
    }

    func source(writeKey: String) -> (any LivePluginSource)? { others[writeKey] }
    func storedValue(forKey key: String) -> JSON? { storage[key] }
    func storeValue(_ value: JSON?, forKey key: String) { storage[key] = value }
    func console(_ level: ScriptEngine.ConsoleLevel, _ text: String) { lines.append("\(level.rawValue): \(text)") }

    override func reset() {
        super.reset()
        onReset?()
    }
}

/// A runtime with a client that records, and the scripts that were given.
struct LiveWorld {
    let bridge = RecordingBridge()
    let runtime: LivePluginRuntime

    init(
        _ sources: String..., budget: LivePluginBudget = LivePluginBudget(), permissions: ScriptPermissions? = nil,
        hasEngineLimit: Bool = ScriptEngine.canStopScripts
    ) throws {
        runtime = try LivePluginRuntime(
            writeKey: "KEY", version: "7", budget: budget, permissions: permissions, bridge: bridge,
            hasEngineLimit: hasEngineLimit)
        for (number, source) in sources.enumerated() {
            try runtime.load(source: source, name: "bundle\(number).js")
        }
    }

    /// An event through the enrichment plugins of the client's own timeline.
    func enrich(_ event: JSON) -> LivePluginStageResult { runtime.run(type: .enrichment, event: event) }
}

/// A track event.
func trackEvent(_ name: String = "Product Viewed", _ properties: JSON = [:]) -> JSON {
    ["type": "track", "event": .string(name), "properties": properties]
}
