import Foundation

/// Pauses, and the callers that wait for their end.
extension DeliveryMachine {
    /// Rests, unless the address has changed meanwhile: the new server has done nothing to rest for.
    /// - Parameters:
    ///   - batch: what was not taken; nil when it was another server that did not.
    ///   - mayAsk: whether an app that flushes may ask before the pause is over.
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

    /// The app flushes: it may know that what only somebody else could change has been changed. Asked too often, the server
    /// would get as many requests as without pauses.
    /// - Returns: whether the pause is over.
    mutating func endPauseForApp() -> Bool {
        guard case .paused = phase, !isHeld, retry.mayAsk else { return false }
        if let askedAt = retry.askedAt {
            let passed = Double(now.milliseconds) - Double(askedAt)
            // A clock that was set back says nothing.
            guard passed < 0 || passed >= Limits.askInterval * 1000 else { return false }
        }
        retry.askedAt = now.milliseconds
        phase = .idle
        return true
    }

    /// Goes on with the pause of an earlier process, and counts a launch that ended before its first answer: an app
    /// that crashes as it starts would otherwise send a request each time.
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

    /// Takes note of what stands in the way; a pause because of what stood there before is over.
    mutating func meet(_ obstacle: UploadObstacle?) {
        guard obstacle != self.obstacle else { return }
        self.obstacle = obstacle
        guard isHeld else { return }
        isHeld = false
        if case .paused = phase { phase = .idle }
    }

    /// Sends nothing while something stands in the way.
    /// - Returns: whether there is something to be sent that has to wait.
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

    /// Why nothing is being sent; nil while something is.
    var whyIdle: UploadObstacle? {
        if case .sending = phase { return nil }
        return rest
    }
}
