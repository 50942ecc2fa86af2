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

    /// What became of the events of a call.
    private enum Delivery {
        /// The requests were not accepted, which is the same for all events.
        case together(ForwardingAnswer)
        case separately([ForwardingAnswer])
    }

    func send(_ event: ForwardedEvent) async -> ForwardingAnswer {
        switch await deliver([event.body], isBatch: false) {
        case .together(let answer): answer
        case .separately(let answers): answers.first ?? .failed("the event has no answer")
        }
    }

    /// Sends events together. A batch that is refused is halved, so that one bad event costs no other one.
    private func send(_ events: [ForwardedEvent]) async -> [ForwardingAnswer] {
        switch await deliver(events.map(\.body), isBatch: true) {
        case .separately(let answers): return answers
        case .together(.refused) where events.count > 1:
            let middle = events.count / 2
            return await send(Array(events[..<middle])) + send(Array(events[middle...]))
        case .together(let answer): return Array(repeating: answer, count: events.count)
        }
    }

    private func deliver(_ events: [[UInt8]], isBatch: Bool) async -> Delivery {
        switch await worker.outcome(of: events, isBatch: isBatch) {
        case .requests(let requests): await deliver(requests, of: events)
        case .later(let reason): .together(.unavailable(reason))
        case .fault(let reason): .together(.refused(reason))
        case .failed(let reason): .together(.failed(reason))
        }
    }

    /// Sends requests in their order, up to the first that is not accepted.
    private func deliver(_ requests: [FunctionRequest], of events: [[UInt8]]) async -> Delivery {
        var judged = JudgedEvents(count: events.count)
        do throws(Refusal) {
            // No request is sent when another one of the same event cannot be.
            for request in requests { try request.check(hosts, worker.placeholders) }
            for (number, request) in requests.enumerated() {
                let filled = try request.filled(worker.placeholders, secrets, to: hosts)
                let (answer, response) = await send(request, filled)
                guard case .accepted(let text) = answer else { return .together(answer) }
                let judgement = await judgement(of: response, to: number, events)
                if let answer = judged.accepted(text, judgement) { return .together(answer) }
            }
        } catch {
            return .together(.refused("function: \(error.message)"))
        }
        return .separately(judged.answers)
    }

    /// What the function says of an answer; nil when it reads none.
    private func judgement(
        of response: FunctionAnswer?, to number: Int, _ events: [[UInt8]]
    ) async -> FunctionJudgement? {
        guard var response, settings.declaration?.readsAnswers == true else { return nil }
        response.number = number
        return await worker.judgement(of: response, events: events)
    }

    private func send(
        _ made: FunctionRequest, _ request: HTTPClientRequest
    ) async -> (ForwardingAnswer, FunctionAnswer?) {
        do {
            let response = try await client.execute(request, timeout: .seconds(settings.timeoutSeconds))
            let answer = WebhookAnswer(
                status: response.status, retryAfter: response.headers.first(name: "Retry-After"), now: now())
            // The body of every answer is read, because a connection with an unread answer cannot be used again.
            let readsAnswers = settings.declaration?.readsAnswers == true
            let most = readsAnswers ? Limits.functionAnswer : Limits.destinationAnswer
            let text = await AnswerText.read(response, upTo: most)
            // A receiver may repeat what it got, also behind the number of its status.
            let hidden = made.hidden(text, worker.placeholders, secrets)
            let isRefusal = answer.isRefusal || settings.declaration?.refusals.contains(response.status.code) == true
            let shown = (isRefusal ? answer.refusal(saying: String(hidden.prefix(200))) : answer.answer).withText {
                made.hidden($0, worker.placeholders, secrets)
            }
            return (shown, FunctionAnswer(status: Int(response.status.code), body: hidden))
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout {
            return (.failed("no answer within \(settings.timeoutSeconds) seconds"), nil)
        } catch {
            return (.failed("no answer: \(AnswerText.reason(error))"), nil)
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
