import TributaryJSON
import TributaryScript

/// The Swift side of the functions for scripts. It answers the runtime's questions, and passes requests of scripts to
/// the client.
///
/// The engine keeps it, so it holds the client weakly.
final class LivePluginHost {
    private let writeKey: String
    private let version: String
    private let faultLimit: Int
    private let permissions: ScriptPermissions?
    private weak var bridge: (any LivePluginBridge)?
    /// Whether the running script exceeded its budget.
    var hasToStop: () -> Bool = { false }
    /// The plugins that scripts have added.
    var plugins = LivePluginRegistry()
    /// The present work of scripts.
    private var task = LivePluginTask.load
    private var allowance = EventAllowance()
    /// Values besides the event that scripts got during this work, so that their numbers can be restored.
    private(set) var handedOut: [JSON] = []
    /// The actions that the app did not allow, in their order; nil on a device, where they are not collected.
    var refusals: [String]?

    init(
        writeKey: String, version: String, faultLimit: Int, permissions: ScriptPermissions? = nil,
        bridge: any LivePluginBridge
    ) {
        self.permissions = permissions
        self.writeKey = writeKey
        self.version = version
        self.faultLimit = faultLimit
        self.bridge = bridge
    }

    /// Scripts begin another piece of work.
    func begin(_ task: LivePluginTask) {
        self.task = task
        allowance.begin()
        if !handedOut.isEmpty { handedOut = [] }
    }

    /// Answers a call of `host(operation, …)` in JavaScript.
    func answer(_ arguments: [ScriptValue]) throws -> ScriptValue {
        let texts = arguments.map { $0.text ?? "" } + ["", "", ""]
        switch texts[0] {
        case "writeKey": return .string(writeKey)
        case "hasToStop": return .bool(hasToStop())
        case "faultLimit": return .number(Double(faultLimit))
        case "eventDepth": return .number(Double(ScriptNesting.depth))
        case "eventBytes": return .number(Double(LivePluginLimits.eventBytes))
        case "source": return .bool(try source(texts[1]) != nil)
        case "traits": return handOut(Self.object(try user(texts[1])?.traits)).map { .json($0) } ?? .undefined
        case "userId": return try user(texts[1])?.userId.map(ScriptValue.string) ?? .undefined
        case "anonymousId": return try user(texts[1])?.anonymousId.map(ScriptValue.string) ?? .undefined
        case "nextSignalIndex": return .number(Double(bridge?.nextSignalIndex() ?? 0))
        case "reset":
            try require(.reset, "call reset")
            if !isEcho(texts[1]) { try source(texts[1])?.reset() }
        case "flush": if !isEcho(texts[1]) { try source(texts[1])?.flush() }
        case "send": try send(to: texts[1], type: texts[2], members: try ScriptNesting.json(texts[3]))
        case "getValue":
            try require(.store, "read stored values")
            return handOut(bridge?.storedValue(forKey: texts[1])).map { .string($0) } ?? .undefined
        case "setValue":
            try require(.store, "store values")
            try bridge?.storeValue(exact(try JSON.parse(texts[2])), forKey: texts[1])
        case "removeValue":
            try require(.store, "store values")
            try bridge?.storeValue(nil, forKey: texts[1])
        case "register": try register(try JSON.parse(texts[1]))
        default: throw ScriptError(.badValue, "the host has no operation \(texts[0])")
        }
        return .undefined
    }

    /// Passes a console line of a script on.
    func console(_ level: ScriptEngine.ConsoleLevel, _ text: String) { bridge?.console(level, text) }

    /// Whether a script's call would only repeat the notice that scripts are processing.
    private func isEcho(_ key: String) -> Bool { key == writeKey && task.isEcho }

    private func source(_ key: String) throws -> (any LivePluginSource)? {
        if key == writeKey { return bridge }
        try require(.otherSources, "send events to the source \(key)")
        return try bridge?.source(writeKey: key)
    }

    /// The source with the user that a script reads.
    private func user(_ key: String) throws -> (any LivePluginSource)? {
        try require(.readUser, "read the user")
        return try source(key)
    }

    /// - Throws: the reason for the script, when the app does not allow that to scripts.
    private func require(_ permission: ScriptPermission.Plain, _ action: String) throws(ScriptError) {
        guard permissions?.allows(permission) == false else { return }
        throw refuse(action)
    }

    private func refuse(_ action: String) -> ScriptError {
        refusals?.append(action)
        return ScriptPermissions.refusal(action)
    }

    // MARK: Exact numbers

    /// The text of a value for a script. The value is remembered unchanged.
    private func handOut(_ value: JSON?) -> String? {
        guard let value else { return nil }
        if handedOut.count < LivePluginLimits.rememberedValues { handedOut.append(value) }
        return value.description
    }

    private static func object(_ value: JSON?) -> JSON? {
        switch value {
        case .object, .array: value
        default: Optional.none
        }
    }

    /// A value of a script, with the original numbers restored.
    private func exact(_ value: JSON) -> JSON {
        EventRestoration.restore(value, from: task.material ?? .null, remembered: handedOut).value
    }

    // MARK: Events of scripts

    private func send(to key: String, type: String, members: JSON) throws {
        guard let source = try source(key) else { throw ScriptError(.badValue, "the source \(key) is gone") }
        let name = { (member: String) in members[member]?.stringValue }
        if let action = permissions?.refused(making: type, name: name(type == "screen" ? "title" : "event")) {
            throw refuse(action)
        }
        try allowance.take(for: task, tracked: key == writeKey ? bridge?.trackedEvents : Optional.none)
        let members = exact(members)
        let context = context(with: members["context"])
        switch type {
        case "track": source.track(event: name("event") ?? "", properties: members["properties"], context: context)
        case "identify": source.identify(userId: name("userId"), traits: members["traits"], context: context)
        case "screen":
            source.screen(
                title: name("title") ?? "", category: name("category"), properties: members["properties"],
                context: context)
        case "group": source.group(groupId: name("groupId") ?? "", traits: members["traits"], context: context)
        case "alias": source.alias(newId: name("newId") ?? "", context: context)
        default: throw ScriptError(.badValue, "there are no \(type) events")
        }
    }

    /// The context for an event of a script: the given context, and the origin, which no script can change.
    private func context(with given: JSON?) -> JSON {
        var context: JSONObject = [EventOrigin.key: EventOrigin.json(of: task, version: version)]
        for (key, value) in given?.objectValue ?? [:] where key != EventOrigin.key { context[key] = value }
        return .object(context)
    }

    // MARK: Plugins

    private func register(_ plugin: JSON) throws {
        guard let name = plugin["name"]?.stringValue,
            let type = plugin["type"]?.stringValue.flatMap(LivePluginType.init(rawValue:))
        else { throw ScriptError(.badValue, "a plugin needs a name and a type") }
        let stage = LivePluginStage(type: type, destination: plugin["destination"]?.stringValue)
        let events = plugin["handles"]?.elements?.compactMap(\.stringValue) ?? []
        let notices = plugin["hears"]?.elements?.compactMap(\.stringValue) ?? []
        plugins.add(
            LivePluginRegistration(
                name: name, stage: stage,
                events: events == ["*"] ? .all : LivePluginEvents(events.map(LivePluginEvents.init(type:))),
                notices: LivePluginNotices(notices.map(LivePluginNotices.init(name:)))))
    }
}
