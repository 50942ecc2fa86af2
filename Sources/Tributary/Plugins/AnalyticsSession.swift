import TributaryJSON

/// A stretch of use.
public struct AnalyticsSession: Sendable, Equatable {
    /// Identifies the session.
    public let id: String
    /// 1 for the first session of this installation.
    public let index: Int
    /// When its first event was tracked, in milliseconds since 1970.
    public let startedAt: Int64
    /// When its latest event was tracked, in milliseconds since 1970.
    public var lastEventAt: Int64

    /// As it stands in an event.
    func json(isFirst: Bool) -> JSON {
        var object: JSONObject = [
            "id": .string(id), "index": .number(JSONNumber(index)),
            "startedAt": .string(ISO8601.string(milliseconds: startedAt)),
        ]
        if isFirst { object["isFirst"] = true }
        return .object(object)
    }
}
