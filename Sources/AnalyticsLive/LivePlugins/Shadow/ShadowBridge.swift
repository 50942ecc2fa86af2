import Tributary
import TributaryJSON
import TributaryScript

/// The client as the scripts of a shadow see it: they read the user, and none of their actions has an effect.
///
/// Their events are kept for the comparison. They have a copy of the stored values from their start, and what they store stays
/// in memory: with the values that the present version stores, a script would take each event for one that it has seen.
final class ShadowBridge: LivePluginBridge {
    private weak var analytics: Analytics?
    private let user: ScriptAnalytics
    private var stored: JSONObject
    private var signals = 0
    private var made = MadeEvents()

    /// - Parameter stored: the values that scripts have stored so far.
    init(_ analytics: Analytics, stored: JSONObject) {
        self.analytics = analytics
        user = ScriptAnalytics(analytics)
        self.stored = stored
    }

    var traits: JSON? { user.traits }
    var userId: String? { user.userId }
    var anonymousId: String? { user.anonymousId }
    var trackedEvents: Int { Int(analytics?.counters.tracked ?? 0) }

    /// The events that scripts made since the last call.
    func takeMade() -> MadeEvents {
        defer { made = MadeEvents() }
        return made
    }

    func track(event: String, properties: JSON?, context: JSON) { made.track(event, properties) }
    func identify(userId: String?, traits: JSON?, context: JSON) { made.identify(userId, traits) }
    func screen(title: String, category: String?, properties: JSON?, context: JSON) {
        made.screen(title, category, properties)
    }
    func group(groupId: String, traits: JSON?, context: JSON) { made.group(groupId, traits) }
    func alias(newId: String, context: JSON) { made.alias(newId) }
    func reset() {}
    func flush() {}

    /// Events for other sources are thrown away and not compared: the present version's do not pass here either.
    func source(writeKey: String) throws(ScriptError) -> (any LivePluginSource)? { SilentSource(user) }

    func nextSignalIndex() -> Int {
        defer { signals += 1 }
        return signals
    }

    func storedValue(forKey key: String) -> JSON? { stored[key] }

    func storeValue(_ value: JSON?, forKey key: String) throws(ScriptError) {
        var changed = stored
        changed[key] = value
        guard JSON.object(changed).encoded().count <= LivePluginLimits.storageBytes else {
            throw ScriptError(.badValue, "'\(key)' is not stored: \(LivePluginLimits.storageMessage)")
        }
        stored = changed
    }

    func console(_ level: ScriptEngine.ConsoleLevel, _ text: String) {}
}

/// Another source of a shadow's scripts, which sends nothing.
private final class SilentSource: LivePluginSource {
    private let user: ScriptAnalytics

    init(_ user: ScriptAnalytics) { self.user = user }

    var traits: JSON? { nil }
    var userId: String? { nil }
    var anonymousId: String? { user.anonymousId }

    func track(event: String, properties: JSON?, context: JSON) {}
    func identify(userId: String?, traits: JSON?, context: JSON) {}
    func screen(title: String, category: String?, properties: JSON?, context: JSON) {}
    func group(groupId: String, traits: JSON?, context: JSON) {}
    func alias(newId: String, context: JSON) {}
    func reset() {}
    func flush() {}
}

/// The events that scripts made during one piece of work, without the members that a client adds.
struct MadeEvents: Equatable {
    private(set) var all: [JSON] = []

    mutating func append(_ other: MadeEvents) { all += other.all }

    mutating func track(_ event: String, _ properties: JSON?) {
        add(["type": "track", "event": .string(event)], ["properties": properties])
    }

    mutating func identify(_ userId: String?, _ traits: JSON?) {
        add(["type": "identify"], ["userId": userId.map(JSON.string), "traits": traits])
    }

    mutating func screen(_ title: String, _ category: String?, _ properties: JSON?) {
        add(
            ["type": "screen", "name": .string(title)],
            ["category": category.map(JSON.string), "properties": properties])
    }

    mutating func group(_ groupId: String, _ traits: JSON?) {
        add(["type": "group", "groupId": .string(groupId)], ["traits": traits])
    }

    mutating func alias(_ newId: String) { add(["type": "alias", "userId": .string(newId)], [:]) }

    private mutating func add(_ event: JSON, _ members: KeyValuePairs<String, JSON?>) {
        var event = event
        for (name, value) in members { event[name] = value }
        all.append(event)
    }
}
