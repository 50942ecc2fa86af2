import AnalyticsLive
import TributaryJSON

/// What a script of a test run gets for `new Analytics(writeKey)`: a source with a user of its own and without plugins.
final class OtherTestSource: LivePluginSource {
    private(set) var traits: JSON?
    private(set) var userId: String?
    let anonymousId: String? = nil
    private let send: (JSON) -> Void

    init(send: @escaping (JSON) -> Void) { self.send = send }

    func track(event: String, properties: JSON?, context: JSON) { send(TestEvents.track(event, properties, context)) }

    func identify(userId: String?, traits: JSON?, context: JSON) {
        if let userId { self.userId = userId }
        if let traits { self.traits = traits }
        send(TestEvents.identify(userId, traits, context))
    }

    func screen(title: String, category: String?, properties: JSON?, context: JSON) {
        send(TestEvents.screen(title, category, properties, context))
    }

    func group(groupId: String, traits: JSON?, context: JSON) { send(TestEvents.group(groupId, traits, context)) }

    func alias(newId: String, context: JSON) {
        send(TestEvents.alias(newId, previous: userId, context))
        userId = newId
    }

    func reset() {
        userId = nil
        traits = nil
    }

    func flush() {}
}

/// Events of scripts in the form in which plugins see them.
enum TestEvents {
    static func track(_ name: String, _ properties: JSON?, _ context: JSON) -> JSON {
        event("track", ["event": .string(name)], "properties", properties, context)
    }

    static func identify(_ userId: String?, _ traits: JSON?, _ context: JSON) -> JSON {
        event("identify", userId.map { ["userId": .string($0)] } ?? [:], "traits", traits, context)
    }

    static func screen(_ title: String, _ category: String?, _ properties: JSON?, _ context: JSON) -> JSON {
        var screen = event("screen", ["name": .string(title)], "properties", properties, context)
        screen["category"] = category.map(JSON.string)
        return screen
    }

    static func group(_ groupId: String, _ traits: JSON?, _ context: JSON) -> JSON {
        event("group", ["groupId": .string(groupId)], "traits", traits, context)
    }

    static func alias(_ newId: String, previous: String?, _ context: JSON) -> JSON {
        var alias = event("alias", ["userId": .string(newId)], "", nil, context)
        alias["previousId"] = previous.map(JSON.string)
        return alias
    }

    private static func event(
        _ type: String, _ own: JSONObject, _ key: String, _ members: JSON?, _ context: JSON
    ) -> JSON {
        var event: JSONObject = ["type": .string(type)]
        for (name, value) in own { event[name] = value }
        if let members { event[key] = members }
        event["context"] = context
        return .object(event)
    }
}
