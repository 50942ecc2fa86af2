import Tributary

/// Real requests, with the end of the process before and after each, and with deadlines that suit the harness.
final class CrashingTransport: Transport {
    /// Seconds after which a request counts as unanswered.
    private static let deadline = 0.4

    private let base = SystemTransport()
    private let killer: Killer
    private let sabotage: Sabotage?
    private let sendings: LockBox<(count: Int, chance: SeededGenerator)>

    init(_ plan: LifePlan, killer: Killer) {
        self.killer = killer
        sabotage = plan.sabotage
        sendings = LockBox((0, SeededGenerator(seed: plan.seed)))
    }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let isBatch = request.method == "POST"
        let (sent, received): (Step, Step) =
            isBatch ? (.requestSent, .answerReceived) : (.settingsRequested, .settingsReceived)
        var request = request
        request.deadline = min(request.deadline, Self.deadline)
        // By chance and not in turns: two queues that take turns would have one whose answers are all lost.
        let (number, isForgotten) = sendings.withLock { sendings in
            sendings.count += 1
            return (sendings.count, Int.random(in: 0..<3, using: &sendings.chance) == 0)
        }
        if isBatch { request.body = spoilt(request.body, number) }
        killer.reached(sent, .before)
        base.send(request) { [killer, sabotage] result in
            guard case .success(let answer) = result, (200..<300).contains(answer.status) else {
                return completion(result)
            }
            killer.reached(received, .before)
            if sabotage == .confirmationsVanish || sabotage == .idsChange, isBatch, isForgotten {
                return completion(.failure(TransportError("the answer was lost")))
            }
            completion(result)
            killer.reached(received, .after)
        }
        killer.reached(sent, .after)
    }

    /// Only for the harness to see that it would notice.
    private func spoilt(_ body: [UInt8]?, _ number: Int) -> [UInt8]? {
        guard sabotage == .idsChange || sabotage == .batchesTurned, let body, var batch = try? JSON.parse(body),
            let events = batch["batch"]?.elements
        else { return body }
        if sabotage == .batchesTurned {
            batch["batch"] = .array(events.reversed())
        } else {
            batch["batch"] = .array(
                events.map { event in
                    var event = event
                    event["messageId"] = .string("\(event["messageId"]?.stringValue ?? "")#\(number)")
                    return event
                })
        }
        return batch.encoded()
    }
}
