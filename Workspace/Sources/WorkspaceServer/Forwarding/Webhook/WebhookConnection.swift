import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import TributaryJSON
import WorkspaceCore

/// Sends events as signed requests: each as one of its own, or some together.
struct WebhookConnection: DestinationConnection {
    let settings: WebhookSettings
    let secrets: DestinationSecrets
    let client: HTTPClient
    let now: @Sendable () -> Int64

    var parallelRequests: Int { settings.parallelRequests }

    /// The connection with these settings.
    static func to(
        _ settings: WebhookSettings, secrets: DestinationSecrets, client: HTTPClient,
        now: @escaping @Sendable () -> Int64
    ) -> any DestinationConnection {
        let connection = WebhookConnection(settings: settings, secrets: secrets, client: client, now: now)
        guard settings.batchEvents > 1 else { return connection }
        return BatchingConnection(events: settings.batchEvents, deliveries: settings.parallelRequests) {
            await connection.send($0)
        }
    }

    func send(_ event: ForwardedEvent) async -> ForwardingAnswer {
        await send(event.body, id: WebhookSignature.id(event.messageId))
    }

    /// Sends events together. A batch that is refused is halved, so that one bad event costs no other one.
    private func send(_ events: [ForwardedEvent]) async -> [ForwardingAnswer] {
        let batch = WebhookBatch(events, now: now())
        let answer = await send(batch.body, id: batch.id)
        guard case .refused = answer, events.count > 1 else {
            return Array(repeating: answer, count: events.count)
        }
        let middle = events.count / 2
        return await send(Array(events[..<middle])) + send(Array(events[middle...]))
    }

    private func send(_ body: [UInt8], id: String) async -> ForwardingAnswer {
        do {
            let timeout = TimeAmount.seconds(settings.timeoutSeconds)
            let response = try await client.execute(request(body, id: id), timeout: timeout)
            let answer = WebhookAnswer(
                status: response.status, retryAfter: response.headers.first(name: "Retry-After"), now: now())
            // The body of every answer is read, because a connection with an unread answer cannot be used again.
            let text = String(await AnswerText.read(response, upTo: Limits.destinationAnswer).prefix(200))
            return answer.isRefusal ? answer.refusal(saying: text) : answer.answer
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout {
            return .failed("no answer within \(settings.timeoutSeconds) seconds")
        } catch {
            return .failed("no answer: \(AnswerText.reason(error))")
        }
    }

    private func request(_ body: [UInt8], id: String) -> HTTPClientRequest {
        let now = now()
        let seconds = now / 1_000
        var request = settings.address.request(.POST)
        request.headers = [
            "Content-Type": "application/json", "User-Agent": "Tributary",
            "webhook-id": id, "webhook-timestamp": "\(seconds)",
            "webhook-signature": WebhookSignature.text(
                id: id, timestamp: seconds, body: body, secrets: secrets.valid(at: now)),
        ]
        for (name, value) in settings.headers { request.headers.replaceOrAdd(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        return request
    }
}

/// The meaning of a webhook's status for the event.
struct WebhookAnswer: Sendable, Equatable {
    /// The receiver cannot process this event.
    private static let refusals: Set<UInt> = [
        400, 406, 409, 411, 412, 413, 414, 415, 416, 417, 421, 422, 431, 501, 505,
    ]

    let answer: ForwardingAnswer

    /// - Parameter retryAfter: the header of that name: seconds, or a date.
    init(status: HTTPResponseStatus, retryAfter: String?, now: Int64) {
        let text = "\(status.code) \(status.reasonPhrase)"
        let pause = retryAfter.flatMap { RetryAfter.milliseconds($0, now: now) }
        answer =
            switch status.code {
            case 200..<300: .accepted(text)
            case 300..<400: .unavailable("\(text); redirects are not followed", retryAfter: pause)
            case 401, 403, 404, 405, 407, 410, 429: .unavailable(text, retryAfter: pause)
            case let code where Self.refusals.contains(code): .refused(text)
            default: pause.map { .unavailable(text, retryAfter: $0) } ?? .failed(text)
            }
    }

    var isRefusal: Bool {
        if case .refused = answer { true } else { false }
    }

    func refusal(saying text: String) -> ForwardingAnswer {
        .refused(text.isEmpty ? answer.text : "\(answer.text): \(text)")
    }
}

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
