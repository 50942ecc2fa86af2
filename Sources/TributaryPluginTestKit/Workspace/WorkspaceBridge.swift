import AnalyticsLive
import Tributary
import TributaryJSON
import TributaryScript

/// The client for scripts that run in the workspace: its user is that of the event which scripts have.
final class WorkspaceBridge: TestSource, LivePluginBridge {
    private var cause = JSON.null
    private var made: [JSON] = []
    /// How many events were made because of the event.
    private var ordinal = 0
    private var storage = ScriptValues()
    private var signals = 0

    private(set) var trackedEvents = 0

    /// Sets the user to the event's. Nothing of the user before is left.
    func begin(_ event: JSON) {
        cause = event
        ordinal = 0
        trackedEvents += 1
        userId = event["userId"]?.stringValue
        anonymousId = event["anonymousId"]?.stringValue
        traits = event["type"] == "identify" ? event["traits"] : event["context"]?["traits"]
    }

    /// The events that scripts have made since the last call.
    func takeMade() -> [JSON] {
        guard !made.isEmpty else { return [] }
        defer { made = [] }
        return made
    }

    /// An event takes over what its client says about itself.
    override func take(_ event: JSON) {
        ordinal += 1
        trackedEvents += 1
        var event = event
        event["messageId"] = .string(
            Identifiers.derived(from: cause["messageId"]?.stringValue ?? "", ordinal: ordinal))
        event["anonymousId"] = anonymousId.map(JSON.string)
        if event["userId"] == nil { event["userId"] = userId.map(JSON.string) }
        for name in ["timestamp", "originalTimestamp", "sentAt", "integrations"] where cause[name] != nil {
            event[name] = cause[name]
        }
        var context = cause["context"]?.objectValue ?? JSONObject()
        for (name, value) in event["context"]?.objectValue ?? JSONObject() { context[name] = value }
        event["context"] = .object(context)
        made.append(event)
    }

    func source(writeKey: String) throws(ScriptError) -> (any LivePluginSource)? {
        throw ScriptError(
            .badValue, "in the workspace, scripts make events of their own source only, and not of \(writeKey)")
    }

    func nextSignalIndex() -> Int {
        defer { signals += 1 }
        return signals
    }

    func storedValue(forKey key: String) -> JSON? { storage[key] }

    func storeValue(_ value: JSON?, forKey key: String) throws(ScriptError) {
        try storage.store(value, forKey: key)
    }

    /// Lines of scripts are not kept: they may name users.
    func console(_ level: ScriptEngine.ConsoleLevel, _ text: String) {}
}
