public import Foundation
public import TributaryJSON

/// Options of one call; all are optional.
///
/// ```swift
/// let yesterday = Date(timeIntervalSinceNow: -86_400)
/// analytics.track(name: "Order Completed", options: EventOptions(timestamp: yesterday))
/// ```
public struct EventOptions: Sendable {
    /// The time of the event; nil means now.
    public var timestamp: Date?
    /// The anonymous id for this event only; the client's own id stays as it is.
    public var anonymousId: String?
    /// The destinations that may get the event: `All` and keys of destinations, with booleans or options as values.
    public var integrations: JSONObject?
    /// Context of the event. Its members win over the client's.
    public var context: JSONObject?
    /// The permanent id of the event. Servers store only one event with an id, so an app must not use it again.
    public var messageId: String?
    /// The time of the event as the text for the wire. It wins over `timestamp`.
    package var exactTimestamp: String?

    /// Options with the given values.
    public init(
        timestamp: Date? = nil, anonymousId: String? = nil, integrations: JSONObject? = nil,
        context: JSONObject? = nil, messageId: String? = nil
    ) {
        self.timestamp = timestamp
        self.anonymousId = anonymousId
        self.integrations = integrations
        self.context = context
        self.messageId = messageId
    }

    /// The options that ``apply(to:)`` ignores, because no event can have them.
    var problems: [String] {
        var problems: [String] = []
        if messageId?.isBlank == true { problems.append("messageId: a blank id is ignored; the event gets a new one") }
        if anonymousId?.isBlank == true {
            problems.append("anonymousId: a blank id is ignored; the event has the client's")
        }
        if let timestamp, ISO8601.exactMilliseconds(of: timestamp) == nil {
            problems.append(
                "timestamp: a date outside of the years 0 to 9999 is ignored; the event has the time of the call")
        }
        return problems
    }

    /// Changes an event that already has its ids and its time.
    func apply(to event: inout JSONObject) {
        if let messageId, !messageId.isBlank { event["messageId"] = .string(messageId) }
        if let anonymousId, !anonymousId.isBlank { event["anonymousId"] = .string(anonymousId) }
        if let time = timestamp.flatMap(ISO8601.exactMilliseconds) {
            event["timestamp"] = .string(ISO8601.string(milliseconds: time))
        }
        if let exactTimestamp { event["timestamp"] = .string(exactTimestamp) }
        if let integrations { event["integrations"] = .object(integrations) }
        guard let context, !context.isEmpty else { return }
        var merged = event["context"]?.objectValue ?? JSONObject()
        for (key, value) in context { merged[key] = value }
        event["context"] = .object(merged)
    }
}
