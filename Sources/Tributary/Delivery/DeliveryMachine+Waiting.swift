import Foundation

/// Pauses, and callers that wait for the end of delivery.
extension DeliveryMachine {
    /// Begins a pause, unless the address has changed meanwhile: the new server gave no reason for a pause.
    /// - Parameters:
    ///   - batch: the batch that was not accepted; nil when the request went to the earlier address.
    ///   - mayAsk: whether a flush by the app may end the pause early.
    mutating func pause(_ reason: String, seconds: TimeInterval, _ batch: Batch?, mayAsk: Bool = false) {
        guard let batch else { return }
        retry.host = host
        retry.failures = min(retry.failures + 1, Limits.countedFailures)
        retry.failingSince = retry.failingSince ?? now.milliseconds
        retry.pausedAt = now.milliseconds
        retry.pause = seconds
        retry.mayAsk = mayAsk
        rest = UploadObstacle(.failure, reason)
        phase = .paused(until: now.uptime + seconds)
        finishWaiters { !$0.isPatient }
        actions.append(
            .report(
                .paused, "\(reason); next try in \(Int(clamping: seconds.rounded(.up))) s", count: batch.records.count))
    }

    /// The app flushes, perhaps because the reason for the pause was removed. This ends only some pauses, and
    /// not often. Otherwise the server would get as many requests as without pauses.
    /// - Returns: whether the pause is over.
    mutating func endPauseForApp() -> Bool {
        guard case .paused = phase, !isHeld, retry.mayAsk else { return false }
        if let askedAt = retry.askedAt {
            let passed = Double(now.milliseconds) - Double(askedAt)
            // A negative time means that the clock was set back, so it does not count.
            guard passed < 0 || passed >= Limits.askInterval * 1000 else { return false }
        }
        retry.askedAt = now.milliseconds
        phase = .idle
        return true
    }

    /// Continues the pause of an earlier process. It also counts a launch that ended before its first answer: an app
    /// that crashes at its start would otherwise send a request at each launch.
    mutating func restorePause() {
        var left = retry.pauseLeft(at: now.milliseconds, longest: policy.longestPause)
        if let attemptedAt = retry.attemptedAt {
            retry.attemptedAt = nil
            retry.unansweredLaunches = min(retry.unansweredLaunches + 1, Limits.countedFailures)
            let pause = min(policy.pause(retry.unansweredLaunches, now.random), Limits.unansweredLaunchPause)
            if pause > left {
                retry.pausedAt = attemptedAt
                retry.pause = pause
                left = retry.pauseLeft(at: now.milliseconds, longest: policy.longestPause)
            }
        }
        guard left > 0 else { return }
        rest = UploadObstacle(.failure, "an earlier launch of the app could not deliver")
        phase = .paused(until: now.uptime + left)
    }

    /// Takes note of an obstacle. A pause because of the earlier obstacle is over.
    mutating func meet(_ obstacle: UploadObstacle?) {
        guard obstacle != self.obstacle else { return }
        self.obstacle = obstacle
        guard isHeld else { return }
        isHeld = false
        if case .paused = phase { phase = .idle }
    }

    /// Sends nothing while there is an obstacle.
    /// - Returns: whether an event that is due has to wait.
    mutating func stopAtObstacle() -> Bool {
        guard let obstacle, confirmed < min(target, now.end) else { return false }
        rest = obstacle
        phase = .idle
        if let seconds = obstacle.retryAfter, seconds > 0 {
            phase = .paused(until: now.uptime + seconds)
            isHeld = true
            actions.append(.wake(after: seconds))
        }
        finishWaiters { !$0.isPatient }
        return true
    }

    mutating func finishWaiters(_ isDone: (FlushWaiter) -> Bool) {
        guard !waiters.isEmpty else { return }
        let done = waiters.filter(isDone)
        guard !done.isEmpty else { return }
        let ids = Set(done.map(\.id))
        waiters.removeAll { ids.contains($0.id) }
        for waiter in done {
            actions.append(.finish(waiter, isSent: confirmed >= waiter.end, reason: rest.text))
        }
    }

    /// The reason why nothing is being sent; nil while a request is under way.
    var whyIdle: UploadObstacle? {
        if case .sending = phase { return nil }
        return rest
    }
}
