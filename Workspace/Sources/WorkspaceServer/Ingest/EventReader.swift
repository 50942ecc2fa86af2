import TributaryJSON

/// Reads the events of one request: pure, so every rule can be tested without a server.
struct EventReader {
    /// The call that the path names; nil when each event names its own.
    var type: EventType?
    /// `context` and `integrations` of the whole batch, for events that do not say otherwise.
    var shared: [(key: String, value: JSONObject)] = []
    var sentAt: Int64?
    var sentAtIsFromUpload = false
    let receivedAt: Int64
    let makeMessageId: @Sendable () -> String

    /// Checks one event and takes out what has a column of its own.
    func read(_ item: JSON) throws(Rejection) -> IncomingEvent {
        guard var object = item.objectValue else { throw Rejection(.notAnObject, "an event must be a JSON object") }
        let type = try eventType(&object)
        let messageId = try messageId(&object)
        for (key, value) in shared { merge(value, into: &object, key) }
        let userId = try identifier("userId", object)
        let anonymousId = try identifier("anonymousId", object)
        guard userId != nil || anonymousId != nil else {
            throw Rejection(.noUser, "an event needs a userId or an anonymousId")
        }
        let name = try name(of: type, object)
        let body = JSON.object(object).encoded()
        guard body.count <= Limits.eventBytes else {
            throw Rejection(.tooLarge, "an event has \(body.count) bytes, at most \(Limits.eventBytes) are taken")
        }
        return IncomingEvent(
            messageId: messageId, type: type, name: name, userId: userId, anonymousId: anonymousId,
            times: times(object), body: body)
    }

    private func eventType(_ object: inout JSONObject) throws(Rejection) -> EventType {
        if let type {
            object["type"] = .string(type.rawValue)
            return type
        }
        guard let value = object["type"], !value.isNull else {
            throw Rejection(.unknownType, "the event has no type")
        }
        guard let type = value.stringValue.flatMap(EventType.init(rawValue:)) else {
            throw Rejection(.unknownType, "the type is \(excerpt(value)), which is no call of the protocol")
        }
        return type
    }

    private func messageId(_ object: inout JSONObject) throws(Rejection) -> String {
        guard let value = object["messageId"], !value.isNull else {
            let made = makeMessageId()
            object["messageId"] = .string(made)
            return made
        }
        guard let messageId = value.stringValue, !messageId.isEmpty, messageId.count <= Limits.messageIdLength else {
            throw Rejection(.badMessageId, "a messageId is a text of 1 to \(Limits.messageIdLength) characters")
        }
        return messageId
    }

    private func name(of type: EventType, _ object: JSONObject) throws(Rejection) -> String? {
        switch type {
        case .track:
            guard let name = try identifier("event", object) else {
                throw Rejection(.noEventName, "a track needs the name of the event as a text")
            }
            return name
        case .page, .screen:
            return try identifier("name", object)
        case .group:
            guard try identifier("groupId", object) != nil else {
                throw Rejection(.noGroup, "a group needs a groupId")
            }
            return nil
        case .alias:
            guard try identifier("previousId", object) != nil, try identifier("userId", object) != nil else {
                throw Rejection(.noAlias, "an alias needs a previousId and a userId")
            }
            return nil
        case .identify:
            return nil
        }
    }

    /// A text, or a number as it is spelled; nil when it is missing, null or empty.
    private func identifier(_ key: String, _ object: JSONObject) throws(Rejection) -> String? {
        guard let value = object[key], !value.isNull else { return nil }
        guard let text = value.stringValue ?? value.numberValue?.description else {
            throw Rejection(.badField, "\(key) must be a text")
        }
        guard text.utf8.count <= Limits.identifierLength else {
            throw Rejection(.badField, "\(key) is longer than \(Limits.identifierLength) bytes")
        }
        return text.isEmpty ? nil : text
    }

    private func times(_ object: JSONObject) -> EventTimes {
        let own = object["sentAt"]?.stringValue.flatMap(ISO8601.milliseconds)
        return EventTimes(
            originalTimestamp: object["timestamp"]?.stringValue.flatMap(ISO8601.milliseconds),
            sentAt: sentAtIsFromUpload ? sentAt : own ?? sentAt,
            sentAtIsFromUpload: sentAtIsFromUpload,
            receivedAt: receivedAt)
    }

    private func merge(_ defaults: JSONObject, into object: inout JSONObject, _ key: String) {
        var merged = object[key]?.objectValue ?? JSONObject()
        guard object[key] == nil || object[key]?.objectValue != nil else { return }
        for (name, value) in defaults where merged[name] == nil { merged[name] = value }
        object[key] = .object(merged)
    }

    private func excerpt(_ value: JSON) -> String { String(value.description.prefix(60)) }
}
