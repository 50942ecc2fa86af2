import Foundation

/// Applies the server's answers to a batch.
extension DeliveryMachine {
    /// Takes an answer. Only the answer to the request under way counts; any other is late or a repetition.
    mutating func received(_ answer: DeliveryPolicy.Answer, _ id: Int) {
        guard case .sending(let request) = phase, request.id == id else { return }
        phase = .idle
        retry.attemptedAt = nil
        var answer = answer
        answer.wasCompressed = request.isCompressed
        answer.takesCompressed = takesCompressed
        let failingFor = retry.failingSince.map { max(0, Double(now.milliseconds) - Double($0)) / 1000 } ?? 0
        var decision = policy.decide(
            answer, events: request.batch.records.count,
            history: .init(failures: retry.failures, failingFor: failingFor), random: now.random)
        decision.reason += answer.words
        if answer.isLate { shrink(to: max(Limits.slowBatchBytes, request.batch.bytes / 2)) }
        perform(decision, on: request)
    }

    private mutating func perform(_ decision: DeliveryPolicy.Decision, on request: DeliveryRequest) {
        let batch = request.batch
        switch decision.action {
        case .confirmed:
            confirm(request)
        case .resendPlain:
            plainTrial = .trial
            refused(decision.reason, batch)
        case .split:
            halve(decision.reason, batch)
        case .shrink:
            shrink(to: max(Limits.smallestBatchBytes, batch.bytes / 2))
            halve(decision.reason, batch)
        case .deadLetter:
            actions.append(.putAside(batch, reason: decision.reason))
            giveUp(decision.reason, batch)
        case .drop:
            actions.append(.drop(batch, reason: decision.reason))
            giveUp(decision.reason, batch)
        case .retry(let seconds):
            pause(
                decision.reason, seconds: seconds, request.host == host ? batch : nil, mayAsk: decision.isForOperator)
        }
    }

    private mutating func confirm(_ request: DeliveryRequest) {
        if retry.failures > 0 {
            actions.append(.report(.resumed, "delivery goes on after \(retry.failures) failures", count: 1))
        }
        if request.isCompressed { takesCompressed = request.host == host }
        if plainTrial == .trial, !request.isCompressed {
            retry.setPlain(request.host, at: now.milliseconds)
            actions.append(.report(.plain, "the server takes no compressed bodies, they are sent plain now", count: 1))
        }
        if plainTrial == .trial { plainTrial = .no }
        hasConfirmed = true
        // The network took a batch, so a report that there is no network was wrong.
        if obstacle?.retryAfter != nil { obstacle = nil }
        refusals = 0
        retry.clearFailures()
        suspects = max(0, suspects - request.batch.records.count)
        if suspects == 0, plainTrial == .search { plainTrial = .no }
        grow()
        actions.append(.confirm(request.batch))
        advance(to: request.batch.end)
    }

    private mutating func halve(_ reason: String, _ batch: Batch) {
        suspects = batch.records.count
        if plainTrial == .trial { plainTrial = .search }
        refused(reason, batch)
    }

    /// The events leave the outbox without having arrived.
    private mutating func giveUp(_ reason: String, _ batch: Batch) {
        suspects = 0
        plainTrial = .no
        advance(to: batch.end)
        refused(reason, batch)
    }

    private mutating func advance(to end: UInt64) {
        confirmed = max(confirmed, end)
        window.remove(through: confirmed)
    }

    /// Finding the refused events takes some requests in a row. A server that refuses everything must not get more of
    /// them than a server that is down.
    private mutating func refused(_ reason: String, _ batch: Batch) {
        refusals += 1
        guard refusals > Limits.refusalsInARow else { return }
        pause(reason, seconds: policy.pause(retry.failures, now.random), batch)
    }

    // MARK: The size of batches

    private mutating func shrink(to bytes: Int) {
        retry.batchBytes = min(bytes, retry.batchBytes ?? capacity)
        confirmedAtSize = 0
    }

    /// Makes batches larger again, in case the limit was temporary. This happens rarely, because an attempt may cost a
    /// request.
    private mutating func grow() {
        guard let bytes = retry.batchBytes else { return }
        confirmedAtSize += 1
        guard confirmedAtSize >= Limits.batchesBeforeGrowth else { return }
        confirmedAtSize = 0
        retry.batchBytes = bytes * 2 < capacity ? bytes * 2 : nil
    }
}
