import TributaryJSON

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
