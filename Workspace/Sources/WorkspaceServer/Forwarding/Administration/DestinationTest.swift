import Foundation
import TributaryJSON

/// The test event, which shows operators whether a destination accepts events.
enum DestinationTest {
    static func event(now: Int64, unique: [UInt8]) -> ForwardedEvent {
        let time = JSON.string(ISO8601.string(milliseconds: now))
        let messageId = "tributary-test-" + unique.prefix(8).map { String(format: "%02x", $0) }.joined()
        let body: JSON = [
            "type": "track", "event": "Tributary Test", "messageId": .string(messageId),
            "anonymousId": "tributary-test", "properties": [:], "context": [:], "integrations": [:],
            "timestamp": time, "originalTimestamp": time, "sentAt": time, "receivedAt": time,
        ]
        return ForwardedEvent(
            sequence: 0, messageId: messageId, partition: ForwardedEvent.Partition(digest: Data()),
            body: body.encoded(),
            receivedAt: now)
    }
}
