import AnalyticsLive
import TributaryJSON
import TributaryScript

/// The client for scripts of a test run. It takes the user from the events, and sends nothing.
final class TestRunBridge: LivePluginBridge {
    static let writeKey = "TRIAL"

    var traits: JSON?
    private(set) var userId: String?
    private(set) var anonymousId: String?
    var console: ((_ level: String, _ line: String) -> Void)?
    private var storage = JSONObject()
    private var sent: [JSON] = []
    private var tracked = 0
    private var others: Set<String> = []

    var trackedEvents: Int { tracked }
    private var signals = 0

    func nextSignalIndex() -> Int {
        defer { signals += 1 }
        return signals
    }

    /// Sets the user to the event's.
    func begin(_ event: JSON) {
        tracked += 1
        userId = event["userId"]?.stringValue
        anonymousId = event["anonymousId"]?.stringValue
        if event["type"] == "identify" { traits = event["traits"] }
    }

    /// Sets the user to the signal's. Signals that scripts add come after it.
    func beginSignal(_ signal: JSON) {
        anonymousId = signal["anonymousId"]?.stringValue ?? anonymousId
        if let index = signal["index"]?.intValue, index >= signals, index < Int.max { signals = index + 1 }
    }

    /// The events that scripts have made since `begin`.
    func end() -> [JSON] {
        defer { sent = [] }
        return sent
    }

    func source(writeKey: String) throws(ScriptError) -> (any LivePluginSource)? {
        if !others.contains(writeKey) { try LivePluginLimits.check(newSource: writeKey, besides: others.count) }
        others.insert(writeKey)
        return self
    }

    func storedValue(forKey key: String) -> JSON? { storage[key] }

    func storeValue(_ value: JSON?, forKey key: String) throws(ScriptError) {
        var changed = storage
        changed[key] = value
        guard JSON.object(changed).encoded().count <= LivePluginLimits.storageBytes else {
            throw ScriptError(.badValue, "'\(key)' is not stored: \(LivePluginLimits.storageMessage)")
        }
        storage = changed
    }

    func console(_ level: ScriptEngine.ConsoleLevel, _ text: String) { console?(level.rawValue, text) }

    func track(event: String, properties: JSON?, context: JSON) {
        send(["type": "track", "event": .string(event)], "properties", properties, context)
    }

    func identify(userId: String?, traits: JSON?, context: JSON) {
        send(["type": "identify", "userId": userId.map(JSON.string) ?? .null], "traits", traits, context)
    }

    func screen(title: String, category: String?, properties: JSON?, context: JSON) {
        var event: JSON = ["type": "screen", "name": .string(title)]
        event["category"] = category.map(JSON.string)
        send(event, "properties", properties, context)
    }

    func group(groupId: String, traits: JSON?, context: JSON) {
        send(["type": "group", "groupId": .string(groupId)], "traits", traits, context)
    }

    func alias(newId: String, context: JSON) { send(["type": "alias", "userId": .string(newId)], "", nil, context) }

    func reset() {
        userId = nil
        traits = nil
    }

    func flush() {}

    private func send(_ event: JSON, _ key: String, _ members: JSON?, _ context: JSON) {
        var event = event
        if let members { event[key] = members }
        event["context"] = context
        sent.append(event)
        tracked += 1
    }
}
