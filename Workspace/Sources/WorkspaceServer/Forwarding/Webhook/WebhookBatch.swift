import Crypto
import Foundation
import TributaryJSON

/// Some events as the body of one request, in the form in which clients send a batch.
struct WebhookBatch: Sendable {
    /// The same for the same events, so that a receiver recognises a request that it got before.
    let id: String
    let body: [UInt8]

    init(_ events: [ForwardedEvent], now: Int64) {
        var digest = SHA256()
        for event in events { digest.update(data: Data("\(event.messageId.utf8.count):\(event.messageId)".utf8)) }
        id = "batch-" + digest.finalize().prefix(16).map { String(format: "%02x", $0) }.joined()
        var text = ObjectText()
        text.add("batch", objects: events.map(\.body))
        text.add("sentAt", milliseconds: now)
        body = text.finished()
    }
}
