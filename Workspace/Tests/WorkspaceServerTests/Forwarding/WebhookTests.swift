import Foundation
import NIOHTTP1
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Webhooks") struct WebhookTests {
    /// The example that implementations of the Standard Webhooks test themselves with.
    @Test("Requests have a valid Standard Webhooks signature")
    func signature() throws {
        let secret = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let text = WebhookSignature.text(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8),
            secrets: [[UInt8](secret), Array("another".utf8)])
        let signatures = text.split(separator: " ")
        #expect(signatures.first == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(signatures.count == 2)
        #expect(signatures.allSatisfy { $0.hasPrefix("v1,") })
    }

    @Test("Message ids are percent-encoded in the header")
    func ids() {
        #expect(WebhookSignature.id("A1B2-c3_d4") == "A1B2-c3_d4")
        #expect(WebhookSignature.id("a\r\nX: 1.é") == "a%0D%0AX:%201%2E%C3%A9")
    }

    @Test(
        "Each status has its meaning for the event",
        arguments: [
            (200, "accepted"), (204, "accepted"), (302, "unavailable"), (400, "refused"), (401, "unavailable"),
            (404, "unavailable"), (408, "failed"), (410, "unavailable"), (413, "refused"), (418, "failed"),
            (422, "refused"), (429, "unavailable"), (500, "failed"), (501, "refused"), (503, "failed"),
        ])
    func statuses(status: Int, meaning: String) {
        let answer = WebhookAnswer(status: .init(statusCode: status), retryAfter: nil, now: 0).answer
        #expect("\(answer)".hasPrefix(meaning))
        #expect(answer.text.hasPrefix("\(status)"))
    }

    @Test(
        "Retry-After is read from a webhook's answer",
        arguments: [
            ("120", 120_000), ("0", 0), ("Sun, 22 Nov 2026 08:00:10 GMT", 10_000), ("-1", nil), ("soon", nil),
            ("Sun, 22 Nov 2026 07:00:00 GMT", nil), ("99999999999999999999", nil),
        ] as [(String, Int64?)])
    func retryAfter(text: String, pause: Int64?) {
        let now: Int64 = 1_795_334_400_000  // 2026-11-22 08:00:00
        let answer = WebhookAnswer(status: .tooManyRequests, retryAfter: text, now: now).answer
        #expect(answer == .unavailable("429 Too Many Requests", retryAfter: pause))
    }

    @Test(
        "Invalid settings of a webhook are refused with the reason",
        arguments: [
            (#"{}"#, "needs a url"), (#"{"url":7}"#, "needs a url"), (#"{"url":"example.com"}"#, "begins with"),
            (#"{"url":"ftp://example.com"}"#, "begins with"), (#"{"url":"https://"}"#, "names a host"),
            (#"{"url":"https://u:p@example.com"}"#, "password"), (#"{"url":"https://a/#b"}"#, "fragment"),
            (#"{"url":"https://a","timeoutSeconds":0}"#, "timeoutSeconds is a whole number from 1 to 60"),
            (#"{"url":"https://a","timeoutSeconds":1.5}"#, "whole number"),
            (#"{"url":"https://a","parallelRequests":65}"#, "from 1 to 64"),
            (#"{"url":"https://a","colour":1}"#, "no setting colour"),
            (#"{"url":"https://a","batchEvents":501}"#, "batchEvents is a whole number from 1 to 500"),
            (#"{"url":"https://a","headers":[]}"#, "headers is an object"),
            (#"{"url":"https://a","headers":{"X-A":1}}"#, "the header X-A is a text"),
            (#"{"url":"https://a","headers":{"X-A":"a\r\nX-B: c"}}"#, "visible ASCII"),
            (#"{"url":"https://a","headers":{"X A":"a"}}"#, "cannot be the name of a header"),
            (#"{"url":"https://a","headers":{"":"a"}}"#, "cannot be the name of a header"),
            (#"{"url":"https://a","headers":{"Content-Length":"1"}}"#, "sets it by itself"),
            (#"{"url":"https://a","headers":{"X-A":"1","x-a":"2"}}"#, "named twice"),
        ])
    func settings(text: String, reason: String) throws {
        let settings = try #require(try JSON.parse(text).objectValue)
        #expect { try WebhookSettings(settings) } throws: { ($0 as? Refusal)?.message.contains(reason) == true }
    }

    @Test("Missing settings of a webhook get their defaults")
    func defaults() throws {
        let settings = try WebhookSettings(["url": "https://example.com/hook?x=1"])
        #expect(settings.json == ["url": "https://example.com/hook?x=1", "timeoutSeconds": 15, "parallelRequests": 8])
    }

    @Test("A batch has its events unchanged, and the same id at each attempt")
    func batch() throws {
        func event(_ id: String) -> ForwardedEvent {
            ForwardedEvent(
                sequence: 1, messageId: id, partition: ForwardedEvent.Partition(digest: Data()),
                body: Array(#"{"messageId":"\#(id)"}"#.utf8))
        }
        let batch = WebhookBatch([event("a"), event("b")], now: 0)
        let body = try JSON.parse(batch.body)
        #expect(body["batch"] == [["messageId": "a"], ["messageId": "b"]])
        #expect(body["sentAt"] == "1970-01-01T00:00:00.000Z")
        #expect(batch.id == WebhookBatch([event("a"), event("b")], now: 9).id)
        #expect(batch.id != WebhookBatch([event("b"), event("a")], now: 0).id)
        #expect(batch.id != WebhookBatch([event("ab")], now: 0).id)
    }

    @Test("A replaced secret signs one more day")
    func secrets() {
        let secrets = DestinationSecrets(current: [2], previous: [1], changedAt: 1_000)
        #expect(secrets.valid(at: 1_000) == [[2], [1]])
        #expect(secrets.valid(at: 1_000 + 86_400_000) == [[2]])
        #expect(DestinationSecrets(current: [2]).valid(at: 0) == [[2]])
    }
}
