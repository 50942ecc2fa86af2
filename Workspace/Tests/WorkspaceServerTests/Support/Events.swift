import TributaryJSON

/// Events as clients send them.
enum Events {
    static func track(messageId: String, name: String = "Order Completed", userId: String = "u-1") -> JSON {
        [
            "type": "track", "event": .string(name), "messageId": .string(messageId), "userId": .string(userId),
            "timestamp": "2026-11-21T01:00:00.000Z", "properties": ["total": 42],
        ]
    }

    static func trace(_ messageId: String, outcome: String = "sent") -> JSON {
        [
            "messageId": .string(messageId), "type": "track", "event": "Order Completed",
            "trackedAt": "2026-11-21T01:00:00.000Z", "outcome": .string(outcome),
            "stages": [["stage": "enrichment", "plugin": "P", "outcome": "unchanged"]],
        ]
    }
}
