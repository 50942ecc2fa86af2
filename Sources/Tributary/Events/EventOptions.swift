public import Foundation
public import TributaryJSON

/// Options of one call; all are optional.
///
/// ```swift
/// analytics.track(name: "Order Completed", properties: order, options: EventOptions(timestamp: order.date))
/// ```
public struct EventOptions: Sendable {
    /// When it happened, when that is not now.
    public var timestamp: Date?
    /// The anonymous id for this event only; the client's own id stays as it is.
    public var anonymousId: String?
    /// Which destinations may see it: `All` and keys of destinations to booleans or options.
    public var integrations: JSONObject?
    /// Context of the event; it overrides the client's.
    public var context: JSONObject?
    /// Identifies the event for good. Servers store one event of an id, so it must not be used again.
    public var messageId: String?
    /// When it happened, as the text that goes on the wire; it wins over `timestamp`.
    package var exactTimestamp: String?

    /// Says nothing but what is given.
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

    /// Changes an event that has its ids and its time.
    func apply(to event: inout JSONObject) {
        if let messageId, !messageId.isEmpty { event["messageId"] = .string(messageId) }
        if let anonymousId, !anonymousId.isEmpty { event["anonymousId"] = .string(anonymousId) }
        if let time = timestamp?.timeIntervalSince1970, abs(time) < Limits.latestTimestamp {
            event["timestamp"] = .string(ISO8601.string(milliseconds: Int64((time * 1000).rounded())))
        }
        if let exactTimestamp { event["timestamp"] = .string(exactTimestamp) }
        if let integrations { event["integrations"] = .object(integrations) }
        guard let context, !context.isEmpty else { return }
        var merged = event["context"]?.objectValue ?? JSONObject()
        for (key, value) in context { merged[key] = value }
        event["context"] = .object(merged)
    }
}
