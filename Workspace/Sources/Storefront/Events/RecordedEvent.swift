import Tributary

/// Checks an event of a recording by the rules of the protocol, so that no server refuses it later.
enum RecordedEvent {
    private static let largestEvent = 32 * 1024
    private static let longestMessageId = 99

    /// The event as its type, with all its members as they are.
    static func event(_ json: JSON, size: Int) throws(InputProblem) -> any RawEvent {
        guard let object = json.objectValue else { throw InputProblem("an event is a JSON object") }
        guard size <= largestEvent else {
            throw InputProblem("the event has \(size) bytes, servers take \(largestEvent)")
        }
        try check(object)
        switch object["type"]?.stringValue {
        case "track": return try named(TrackEvent(json: object))
        case "identify": return IdentifyEvent(json: object)
        case "screen", "page": return ScreenEvent(json: object)
        case "group": return GroupEvent(json: object)
        case "alias": return AliasEvent(json: object)
        case let type?: throw InputProblem("there are no events of type \"\(type)\"")
        case nil: throw InputProblem("\"type\" is missing")
        }
    }

    private static func named(_ event: TrackEvent) throws(InputProblem) -> TrackEvent {
        guard !event.event.isBlank else { throw InputProblem("a track event has an \"event\" that is not empty") }
        return event
    }

    private static func check(_ object: JSONObject) throws(InputProblem) {
        let ids = ["userId", "anonymousId"].compactMap { object[$0]?.stringValue }
        guard ids.contains(where: { !$0.isBlank }) else {
            throw InputProblem("there is neither a \"userId\" nor an \"anonymousId\"")
        }
        if let id = object["messageId"] {
            guard let text = id.stringValue, (1...longestMessageId).contains(text.utf8.count) else {
                throw InputProblem("\"messageId\" is a text of 1 to \(longestMessageId) bytes")
            }
        }
        if let time = object["timestamp"] {
            guard let text = time.stringValue, ISO8601.milliseconds(text) != nil else {
                throw InputProblem("\"timestamp\" is no time of ISO 8601")
            }
        }
    }
}
