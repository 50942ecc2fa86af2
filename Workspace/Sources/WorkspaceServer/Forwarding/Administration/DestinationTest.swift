import Foundation
import TributaryJSON
import WorkspaceCore

/// The test event, which shows operators whether a destination accepts events.
enum DestinationTest {
    /// The event says that its made-up user allows what the destination needs, as every event has to that comes there.
    static func event(to destination: Destination, now: Int64, unique: [UInt8]) -> ForwardedEvent {
        let time = JSON.time(now)
        let messageId = "tributary-test-" + unique.prefix(8).map { String(format: "%02x", $0) }.joined()
        let body: JSON = [
            "type": "track", "event": "Tributary Test", "messageId": .string(messageId),
            "anonymousId": "tributary-test", "properties": [:], "context": context(destination), "integrations": [:],
            "timestamp": time, "originalTimestamp": time, "sentAt": time, "receivedAt": time,
        ]
        return ForwardedEvent(
            sequence: 0, messageId: messageId, partition: ForwardedEvent.Partition(digest: Data()),
            body: body.encoded(),
            receivedAt: now)
    }

    private static func context(_ destination: Destination) -> JSON {
        guard !destination.categories.isEmpty else { return [:] }
        var preferences = JSONObject()
        for category in destination.categories { preferences[category] = true }
        return ["consent": ["categoryPreferences": .object(preferences)]]
    }
}
