import TributaryJSON

/// A session: a period in which the user used the app.
public struct AnalyticsSession: Sendable, Equatable {
    /// The id of the session.
    public let id: String
    /// 1 for the first session of this installation.
    public let index: Int
    /// The time when its first event was tracked, in milliseconds since 1970.
    public let startedAt: Int64
    /// The time when its latest event was tracked, in milliseconds since 1970.
    public var lastEventAt: Int64

    /// The form in an event.
    func json(isFirst: Bool) -> JSON {
        var object: JSONObject = [
            "id": .string(id), "index": .number(JSONNumber(index)),
            "startedAt": .string(ISO8601.string(milliseconds: startedAt)),
        ]
        if isFirst { object["isFirst"] = true }
        return .object(object)
    }
}
