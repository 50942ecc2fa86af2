import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import WorkspaceCore

/// Sends the requests that a function makes of events.
struct FunctionConnection: DestinationConnection {
    let settings: FunctionSettings
    let hosts: FunctionHosts
    let secrets: FunctionSecrets
    let worker: FunctionWorker
    let client: HTTPClient
    let now: @Sendable () -> Int64

    var parallelRequests: Int { settings.parallelRequests }

    /// The connection with these settings.
    static func to(
        _ settings: FunctionSettings, hosts: FunctionHosts, secrets: FunctionSecrets, worker: FunctionWorker,
        client: HTTPClient, now: @escaping @Sendable () -> Int64
    ) -> any DestinationConnection {
        let connection = FunctionConnection(
            settings: settings, hosts: hosts, secrets: secrets, worker: worker, client: client, now: now)
        guard let most = settings.declaration?.batchEvents else { return connection }
        return BatchingConnection(events: most, deliveries: settings.parallelRequests) { await connection.send($0) }
    }

    func send(_ event: ForwardedEvent) async -> ForwardingAnswer {
        await deliver(await worker.outcome(of: [event.body], isBatch: false))
    }

    /// Sends events together. A batch that is refused is halved, so that one bad event costs no other one.
    private func send(_ events: [ForwardedEvent]) async -> [ForwardingAnswer] {
        let answer = await deliver(await worker.outcome(of: events.map(\.body), isBatch: true))
        guard case .refused = answer, events.count > 1 else {
            return Array(repeating: answer, count: events.count)
        }
        let middle = events.count / 2
        return await send(Array(events[..<middle])) + send(Array(events[middle...]))
    }

    private func deliver(_ outcome: FunctionOutcome) async -> ForwardingAnswer {
        switch outcome {
        case .requests(let requests): await deliver(requests)
        case .later(let reason): .unavailable(reason)
        case .fault(let reason): .refused(reason)
        case .failed(let reason): .failed(reason)
        }
    }

    /// Sends requests in their order, up to the first that is not accepted.
    private func deliver(_ requests: [FunctionRequest]) async -> ForwardingAnswer {
        guard !requests.isEmpty else { return .accepted(Self.nothing) }
        var answers: [ForwardingAnswer] = []
        do throws(Refusal) {
            // No request is sent when another one of the same event cannot be.
            for request in requests { try request.check(hosts, worker.placeholders) }
            for request in requests {
                let answer = await send(request, try request.filled(worker.placeholders, secrets, to: hosts))
                guard case .accepted = answer else { return answer }
                answers.append(answer)
            }
        } catch {
            return .refused("function: \(error.message)")
        }
        return answers.count == 1
            ? answers[0] : .accepted("\(answers.count) requests, the last: \(answers.last?.text ?? "")")
    }

    /// The answer for an event of which the function made no request.
    private static let nothing = "the function sent nothing"

    private func send(_ made: FunctionRequest, _ request: HTTPClientRequest) async -> ForwardingAnswer {
        do {
            let response = try await client.execute(request, timeout: .seconds(settings.timeoutSeconds))
            let answer = WebhookAnswer(
                status: response.status, retryAfter: response.headers.first(name: "Retry-After"), now: now())
            // The body of every answer is read, because a connection with an unread answer cannot be used again.
            let text = await AnswerText.read(response, upTo: Limits.destinationAnswer)
            // A receiver may repeat what it got, also behind the number of its status.
            let hidden = String(made.hidden(text, worker.placeholders, secrets).prefix(200))
            let isRefusal = answer.isRefusal || settings.declaration?.refusals.contains(response.status.code) == true
            return (isRefusal ? answer.refusal(saying: hidden) : answer.answer).withText {
                made.hidden($0, worker.placeholders, secrets)
            }
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout {
            return .failed("no answer within \(settings.timeoutSeconds) seconds")
        } catch {
            return .failed("no answer: \(AnswerText.reason(error))")
        }
    }
}

extension ForwardingAnswer {
    /// The same answer with another text.
    fileprivate func withText(_ change: (String) -> String) -> ForwardingAnswer {
        switch self {
        case .accepted(let text): .accepted(change(text))
        case .refused(let text): .refused(change(text))
        case .failed(let text): .failed(change(text))
        case .unavailable(let text, let pause): .unavailable(change(text), retryAfter: pause)
        }
    }
}
