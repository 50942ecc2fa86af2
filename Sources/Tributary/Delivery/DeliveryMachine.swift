import Foundation
import TributaryJournal

/// Decides what delivery does next. It takes inputs and returns actions. Nothing here has an effect, waits or reads a
/// clock.
///
/// Only one request is under way at a time. That keeps events in order, and one place in the outbox says which events
/// are confirmed.
struct DeliveryMachine: Sendable {
    /// The facts at the time of an input.
    struct Now: Sendable {
        /// Seconds that only move forward.
        var uptime: TimeInterval
        /// The wall clock, which may be set.
        var milliseconds: Int64
        /// From 0 up to, not including, 1.
        var random: Double
        /// The place in the outbox up to which everything was removed, after a confirmation or by the limits of
        /// storage.
        var start: UInt64
        /// The place behind the newest record of the outbox.
        var end: UInt64
    }

    /// Something that happened.
    enum Input: Sendable {
        /// Settings apply, for the first time or again.
        case settings(host: String?, policy: DeliveryPolicy)
        /// The events that are in the outbox now are due.
        case demand
        /// The same, and a caller waits for the end.
        case flush(FlushWaiter)
        /// A caller no longer waits.
        case cancelFlush(Int)
        /// The records of the outbox that `Action.read` asked for.
        case read([JournalRecord], end: UInt64)
        /// The answer to a request, or the report that there was none within its deadline.
        case answer(DeliveryPolicy.Answer, request: Int)
        /// These records were read and then left the outbox without a confirmation, so the request was not sent.
        case withdrawn(Set<UInt64>, request: Int)
        /// The obstacle to sending may have changed.
        case conditions(UploadObstacle?)
        /// The time that `Action.wake` named has come.
        case timer
        /// The client ends.
        case stop
    }

    /// Something to do.
    enum Action: Sendable {
        /// Read from the outbox, and give back `Input.read`.
        case read(after: UInt64, maxBytes: Int, maxCount: Int)
        /// Send a batch, and give back `Input.answer`.
        case send(DeliveryRequest)
        /// The server has confirmed these events: remove them from the outbox.
        case confirm(Batch)
        /// The server refuses these events for good: put them among the dead letters, then remove them.
        case putAside(Batch, reason: String)
        /// The settings give these events up: count them, then remove them.
        case drop(Batch, reason: String)
        /// Give back `Input.timer` after that many seconds. This replaces an earlier timer.
        case wake(after: TimeInterval)
        /// End the wait of a caller.
        case finish(FlushWaiter, isSent: Bool, reason: String)
        /// Store this for the next launch.
        case save(RetryState)
        /// Report a diagnostic.
        case report(Diagnostic.Reason, String, count: Int)

        /// Whether observers or callers see the action.
        var tells: Bool {
            switch self {
            case .finish, .report: true
            case .read, .send, .confirm, .putAside, .drop, .wake, .save: false
            }
        }
    }

    /// The current work of delivery.
    enum Phase: Sendable, Equatable {
        case waiting, idle, reading
        case sending(DeliveryRequest)
        /// Paused until that uptime.
        case paused(until: TimeInterval)
        case stopped
    }

    /// Whether the next body is plain although the server is not known to need that.
    enum PlainTrial: Sendable { case no, trial, search }

    /// The most bytes of events in a body.
    let capacity: Int
    let compresses: Bool
    var policy = DeliveryPolicy()
    var phase = Phase.waiting
    /// The reason why nothing is being sent.
    var rest = UploadObstacle(.starting, "the client has not started")
    var retry: RetryState
    /// The state that was saved last.
    var saved: RetryState
    var host: String?
    var window = DeliveryWindow()
    /// The place up to which the server has confirmed. The outbox may fail to store it, and delivery must not send
    /// those events again.
    var confirmed: UInt64
    /// The place up to which events are due.
    var target: UInt64
    /// The number of events at the front of the outbox among which the server refused at least one.
    var suspects = 0
    /// Refusals in a row that led to no pause.
    var refusals = 0
    /// Batches confirmed since the size of a batch was changed.
    var confirmedAtSize = 0
    var plainTrial = PlainTrial.no
    var hasConfirmed = false
    var takesCompressed = false
    var waiters: [FlushWaiter] = []
    var nextRequest = 1
    /// Reads in a row for which the outbox had records and returned none.
    var emptyReads = 0
    /// The obstacle to sending.
    var obstacle: UploadObstacle?
    /// Whether the pause is because of the obstacle, and ends with it.
    var isHeld = false
    var now: Now
    var actions: [Action] = []

    /// - Parameter retry: the state that an earlier process saved.
    init(capacity: Int, compresses: Bool, retry: RetryState, at now: Now) {
        self.capacity = capacity
        self.compresses = compresses
        self.retry = retry
        saved = retry
        self.now = now
        confirmed = now.start
        target = now.end
    }

    /// Takes one input.
    mutating func handle(_ input: Input, at now: Now) -> [Action] {
        self.now = now
        confirmed = max(confirmed, now.start)
        window.remove(through: now.start)
        switch input {
        case .settings(let host, let policy): apply(host, policy)
        case .demand: target = max(target, now.end)
        case .flush(let waiter): add(waiter)
        case .cancelFlush(let id): finishWaiters { $0.id == id }
        case .read(let records, let end): took(records, end)
        case .answer(let answer, let request): received(answer, request)
        case .withdrawn(let sequences, let request): withdraw(sequences, request)
        case .conditions(let obstacle): meet(obstacle)
        case .timer: break
        case .stop: stop()
        }
        proceed()
        save()
        defer { actions = [] }
        return actions
    }

    // MARK: Inputs

    private mutating func apply(_ host: String?, _ policy: DeliveryPolicy) {
        self.policy = policy
        let isFirst = phase == .waiting
        if isFirst { phase = .idle }
        guard isFirst || host != self.host else { return }
        self.host = host
        takesCompressed = false
        plainTrial = .no
        if retry.host == host {
            if isFirst { restorePause() }
        } else {
            retry.clearFailures()
            retry.batchBytes = nil
            retry.host = host
            if case .paused = phase { (phase, isHeld) = (.idle, false) }
        }
    }

    private mutating func add(_ waiter: FlushWaiter) {
        guard phase != .stopped else {
            return actions.append(
                .finish(waiter, isSent: confirmed >= waiter.end, reason: rest.text))
        }
        waiters.append(waiter)
        target = max(target, waiter.end)
        if waiter.isOfApp, endPauseForApp() { return }
        if case .paused = phase { finishWaiters { !$0.isPatient } }
    }

    private mutating func took(_ records: [JournalRecord], _ end: UInt64) {
        guard phase == .reading else { return }
        phase = .idle
        if records.isEmpty {
            // The last places may have no record: their records were dropped, or the places were left free.
            confirmed = max(confirmed, end)
            nothingRead()
        } else {
            emptyReads = 0
            window.fill(records)
        }
    }

    /// Either everything is sent, or the waiting events cannot be read now. Then delivery tries again, at growing
    /// intervals.
    private mutating func nothingRead() {
        guard confirmed < now.end else { return }
        rest = UploadObstacle(.storage, "the events in the outbox cannot be read now")
        finishWaiters { _ in true }
        phase = .paused(until: now.uptime + policy.pause(emptyReads, now.random))
        emptyReads += 1
    }

    /// Records that were dropped and counted as lost must not be sent as well. The rest of the batch is sent.
    private mutating func withdraw(_ sequences: Set<UInt64>, _ id: Int) {
        window.remove(sequences)
        guard case .sending(let request) = phase, request.id == id else { return }
        phase = .idle
        retry.attemptedAt = nil
    }

    private mutating func stop() {
        phase = .stopped
        rest = UploadObstacle(.ended, "the client has ended")
        window = DeliveryWindow()
        finishWaiters { _ in true }
    }

    // MARK: The next step

    private mutating func proceed() {
        switch phase {
        case .waiting, .reading, .sending, .stopped: return
        // A timer may fire a moment early. The rest of the wait could be too short for a clock to measure.
        case .paused(let until) where until - now.uptime > 0.001:
            return actions.append(.wake(after: until - now.uptime))
        case .paused, .idle: break
        }
        let mayTry = isHeld
        isHeld = false
        let done = confirmed
        finishWaiters { done >= $0.end }
        if !mayTry, stopAtObstacle() { return }
        if let batch = nextBatch() {
            send(batch)
        } else if confirmed >= min(target, now.end) {
            phase = .idle
            let isDone = confirmed >= now.end
            rest = UploadObstacle(
                .nothingDue, isDone ? "nothing waits" : "no delivery of the waiting events is due yet")
        } else {
            phase = .reading
            actions.append(.read(after: confirmed, maxBytes: capacity, maxCount: Limits.batchEvents))
        }
    }

    private func nextBatch() -> Batch? {
        window.batch(
            maxBytes: min(capacity, retry.batchBytes ?? capacity),
            maxCount: suspects > 0 ? max(1, suspects / 2) : Limits.batchEvents)
    }

    private mutating func send(_ batch: Batch) {
        guard let host else { return pause("the API host is not an address", seconds: policy.longDelay, batch) }
        let isPlain = !compresses || plainTrial != .no || retry.isPlain(host, at: now.milliseconds)
        let deadline = Limits.requestDeadline + Double(batch.bytes) / Limits.slowestBytesPerSecond
        let request = DeliveryRequest(
            id: nextRequest, batch: batch, host: host, isCompressed: !isPlain, retryCount: retry.failures,
            deadline: deadline)
        nextRequest += 1
        if !hasConfirmed { retry.attemptedAt = now.milliseconds }
        phase = .sending(request)
        actions.append(.send(request))
    }

    private mutating func save() {
        guard retry != saved else { return }
        saved = retry
        actions.append(.save(retry))
    }
}

/// A request with a batch.
struct DeliveryRequest: Sendable, Equatable {
    let id: Int
    let batch: Batch
    /// The server's address, in the form of `Endpoint`.
    let host: String
    let isCompressed: Bool
    let retryCount: Int
    /// Seconds until the request counts as unanswered.
    let deadline: TimeInterval

    static func == (left: DeliveryRequest, right: DeliveryRequest) -> Bool { left.id == right.id }
}

/// A caller that waits until everything up to a place is sent.
struct FlushWaiter: Sendable {
    let id: Int
    let end: UInt64
    /// Whether it waits through failures until its time is over.
    let isPatient: Bool
    /// Whether the app flushes, not the client.
    var isOfApp = false
    let completion: @Sendable (FlushResult) -> Void
}
