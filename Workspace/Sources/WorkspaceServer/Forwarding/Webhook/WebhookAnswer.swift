import Foundation
import NIOHTTP1

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
