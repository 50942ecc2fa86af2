extension Payload: Hashable {
    /// Payloads are equal when their type, content, ids and time are equal.
    public static func == (left: Payload, right: Payload) -> Bool {
        if left === right { return true }
        guard type(of: left) == type(of: right), left.eventType == right.eventType, left.wireType == right.wireType,
            left.ids.withLock({ $0 }) == right.ids.withLock({ $0 })
        else { return false }
        // The payload of a system call cannot be compared.
        guard left.wireType != nil else { return false }
        return left.known == right.known && left.chosen == right.chosen
            && left.members.elementsEqual(right.members) { $0.key == $1.key && $0.value == $1.value }
    }

    /// Equal payloads have the same hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type(of: self)))
        hasher.combine(wireType)
    }
}

extension Payload {
    /// The payload of an event by its type; nil for an unknown type.
    static func of(_ event: JSONObject) -> Payload? {
        switch EventType(wire: event["type"]?.stringValue) {
        case .identify: IdentifyPayload(event: event)
        case .track: TrackPayload(event: event)
        case .screen: ScreenPayload(event: event)
        case .group: GroupPayload(event: event)
        case .alias: AliasPayload(event: event)
        default: nil
        }
    }

    /// The event with the values of this payload.
    ///
    /// An unchanged value keeps its spelling and order, although the app had it as a dictionary.
    func applied(to event: JSONObject) -> JSONObject {
        guard let wireType else { return event }
        if isUnchanged(of: event) { return event }
        var result = event
        if event["type"]?.stringValue != wireType {
            for key in Self.memberNames { result[key] = nil }
            result["type"] = .string(wireType)
        }
        let ids = ids.withLock { $0 }
        for (key, id) in [("messageId", ids.messageId), ("anonymousId", ids.anonymousId), ("timestamp", ids.timestamp)]
        where !id.isEmpty { result[key] = .string(id) }
        if !ids.userId.isEmpty, !(self is AliasPayload) { result["userId"] = .string(ids.userId) }
        for (key, value) in members { result[key] = value.map { ExactValues.restored($0, from: event[key]) } }
        result["context"] = ExactValues.restored(.object(known), from: event["context"])
        result["integrations"] = ExactValues.restored(.object(chosen), from: event["integrations"])
        return result
    }

    /// The members of events that depend on their type.
    private static let memberNames = ["event", "properties", "name", "category", "traits", "groupId", "previousId"]
}
