import Dispatch
import Foundation

/// Delivers the events that ended processes left: takes their event queues, empties them, and releases them.
///
/// A queue is held for one pass only: once through the timeline, once to the server. Events that cannot be sent then
/// are tried again at the next look. So a queue is rarely held when its own client returns. A queue that owes a purge
/// is held until the disk has carried it out, because another client would send the purged events.
final class QueueAdoption: Sendable {
    private struct State {
        /// Starts an uploader with the server's address; nil before the first settings.
        var start: (@Sendable (Uploader) -> Void)?
        /// Queues that cannot be opened, as was already reported.
        var refused: Set<UInt64> = []
        var otherUsers: OtherUsers?
        var isStopped = false
        var timer: (any ScheduledWork)?
        /// The uptime of the last look for queues.
        var lookedAt: TimeInterval = 0
        /// Queues that stay open here until the disk has carried out their purge.
        var owing: [EventQueue] = []
        /// Queues of ended processes after a purge that failed. The client does not adopt them until a purge has succeeded.
        /// Nil stands for all that will be found, because the folder could not be listed.
        var unpurged: Set<UInt64>? = []
        var isPurgeScheduled = false
        var waits: [Wait] = []
    }

    private let directory: QueueDirectory
    private let own: EventQueue
    private let queue: DispatchQueue
    private let time: any TimeSource
    private let report: @Sendable (Diagnostic) -> Void
    /// Passes an event queue to the pipeline, which calls back when the inbox is empty.
    private let process: @Sendable (EventQueue, @escaping @Sendable () -> Void) -> Void

    private let state: QueueBound<State>
    private let active = LockBox((queues: [EventQueue](), purges: 0))

    init(
        directory: QueueDirectory, own: EventQueue,
        process: @escaping @Sendable (EventQueue, @escaping @Sendable () -> Void) -> Void
    ) {
        self.directory = directory
        self.own = own
        self.process = process
        queue = directory.host.queue
        time = directory.values.time
        report = directory.report
        state = QueueBound(State(), to: queue)
    }

    /// The queues that are being emptied.
    var queues: [EventQueue] { active.withLock { $0.queues } }

    /// Looks for queues now and at intervals.
    /// - Parameter start: starts an uploader with the server's address.
    func begin(_ start: @escaping @Sendable (Uploader) -> Void) {
        guard directory.location != nil else { return }
        queue.async { [self] in
            state.start = start
            guard state.timer == nil else { return }
            state.otherUsers = OtherUsers(own)
            lookAgain()
        }
    }

    /// Looks for queues, and calls back when all are released: with `.sent` when all their events have arrived.
    ///
    /// A queue that was released a moment ago is taken again. Otherwise its events would count as sent.
    func flush(_ completion: @escaping @Sendable (FlushResult) -> Void) {
        queue.async { [self] in
            if state.start != nil { look() }
            let held = Set(queues.map(ObjectIdentifier.init))
            guard !held.isEmpty else { return completion(.sent) }
            state.waits.append(Wait(queues: held, completion: completion))
        }
    }

    /// Releases all queues.
    func stop(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            state.isStopped = true
            state.timer?.cancel()
            for eventQueue in state.owing { eventQueue.close() }
            state.owing = []
            let group = DispatchGroup()
            for eventQueue in queues {
                group.enter()
                eventQueue.uploader.stop {
                    eventQueue.close()
                    group.leave()
                }
            }
            let unsent = queues.reduce(0) { $0 + $1.unprocessed + $1.unsent }
            active.withLock { $0.queues = [] }
            for wait in state.waits { wait.completion(.partly(remaining: unsent, reason: "the client has ended")) }
            state.waits = []
            group.notify(queue: queue) { completion() }
        }
    }

    // MARK: Purging

    /// Stops taking queues, so that the purge covers every event before it is sent. Safe from any thread.
    /// - Returns: the queues that are being emptied.
    func beginPurge() -> [EventQueue] {
        active.withLock { active in
            active.purges += 1
            return active.queues
        }
    }

    /// Purges the queues that no client has, and the unsent events of the others. By now no purged event is processed
    /// any more.
    func endPurge(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            // A queue with an empty inbox has left the pipeline, so its purge ends here.
            for eventQueue in queues { eventQueue.purgeProcessed() }
            purgeLeftQueues()
            active.withLock { $0.purges -= 1 }
            if state.start != nil { look() }
            completion()
        }
    }

    /// Purges every queue that no client has. Tries again later when the folder cannot be listed now.
    /// - Parameter failures: how many attempts have failed.
    private func purgeLeftQueues(after failures: Int = 0) {
        let numbers: [UInt64]
        do {
            numbers = try directory.allNumbers()
        } catch {
            // The first failure was reported.
            if state.unpurged != nil { report(.storage("the queues of ended processes cannot be deleted", error)) }
            state.unpurged = nil
            return purgeAgain(after: failures)
        }
        state.unpurged = state.unpurged ?? []
        let known = Set(queues.map(\.number)).union([own.number])
        for number in numbers where !known.contains(number) { purge(number) }
    }

    /// Purges a queue unless another client has it. Tries again later when that is not possible now.
    private func purge(_ number: UInt64) {
        if let eventQueue = state.owing.first(where: { $0.number == number }) { return eventQueue.purge() }
        do {
            try openAndPurge(number)
        } catch {
            state.unpurged?.insert(number)
            report(.storage("the queue \(number) cannot be deleted", error))
            purgeAgain()
        }
    }

    private func openAndPurge(_ number: UInt64) throws {
        guard case .taken(let eventQueue) = try directory.adopt(number, isToBePurged: true) else { return }
        eventQueue.purge()
        close(eventQueue)
    }

    /// Closes a queue that is not needed any more, at once or when it owes no purge.
    private func close(_ eventQueue: EventQueue) {
        guard eventQueue.owesPurge, !state.isStopped else { return eventQueue.close() }
        state.owing.append(eventQueue)
        purgeAgain()
    }

    private func purgeAgain(after failures: Int = 0) {
        guard !state.isPurgeScheduled, !state.isStopped, !state.owing.isEmpty || state.unpurged != [] else {
            return
        }
        state.isPurgeScheduled = true
        time.schedule(after: Backoff.storage.pause(after: failures), on: queue) { [weak self] in
            guard let self, !state.isStopped else { return }
            state.isPurgeScheduled = false
            // The logs of an open queue finish their purges by themselves.
            for eventQueue in state.owing { eventQueue.deadLetters.finishPurge() }
            for eventQueue in state.owing where !eventQueue.owesPurge { eventQueue.close() }
            state.owing.removeAll { !$0.owesPurge }
            if let numbers = state.unpurged {
                // The first failure was reported.
                state.unpurged = numbers.filter { (try? openAndPurge($0)) == nil }
            } else {
                purgeLeftQueues(after: failures + 1)
            }
            purgeAgain(after: failures + 1)
        }
    }

    // MARK: Looking for queues

    /// Looks now instead of later, because the client is awake: it has just asked for settings.
    func lookWithSettings() {
        queue.async { [self] in
            guard state.timer != nil, time.uptime - state.lookedAt > Limits.adoptionInterval / 2 else { return }
            lookAgain()
        }
    }

    private func lookAgain() {
        state.timer?.cancel()
        state.lookedAt = time.uptime
        look()
        state.timer = time.schedule(after: Limits.adoptionInterval, on: queue) { [weak self] in
            guard let self, !state.isStopped else { return }
            lookAgain()
        }
    }

    private func look() {
        guard !state.isStopped, active.withLock({ $0.purges }) == 0, let unpurged = state.unpurged
        else { return }
        let known = Set((queues + state.owing + [own]).map(\.number)).union(state.refused).union(unpurged)
        var live = 0
        for number in directory.numbers() where !known.contains(number) && queues.count < Limits.adoptedQueues {
            do {
                switch try directory.adopt(number) {
                case .taken(let eventQueue): take(eventQueue)
                case .inUse:
                    live += 1
                    if let news = state.otherUsers?.look(at: number, own) { report(news) }
                case .empty: break
                }
            } catch {
                // A queue that the system does not allow to read now is looked at again.
                if StorageState.Reason(error) != .unreadable { state.refused.insert(number) }
                report(.storage("the events in queue \(number) cannot be taken over", error))
            }
        }
        share(live: live)
    }

    /// The limits apply to all queues of the write key together.
    private func share(live: Int) {
        let others = directory.numbers().filter { $0 != own.number }.map(directory.survey)
        own.bounds.withLock { bounds in
            bounds = QueueBudget.bounds(
                of: directory.values.storageLimits, live: live + 1, othersBytes: others.reduce(0) { $0 + $1.bytes },
                othersRecords: others.reduce(0) { $0 + $1.records })
        }
    }

    private func take(_ eventQueue: EventQueue) {
        let isTaken = active.withLock { active in
            guard active.purges == 0 else { return false }
            active.queues.append(eventQueue)
            return true
        }
        // A purge has begun meanwhile. It finds the queue in its folder.
        guard isTaken else { return close(eventQueue) }
        report(
            Diagnostic(
                .storage, "an ended process left queue \(eventQueue.number); this client sends its events",
                reason: .adopted, count: eventQueue.unprocessed + eventQueue.unsent))
        state.start?(eventQueue.uploader)
        process(eventQueue) { [self] in
            _ = eventQueue.uploader.flush(isPatient: false) { [self] result in
                queue.async { self.finish(eventQueue, result) }
            }
        }
    }

    private func finish(_ eventQueue: EventQueue, _ result: FlushResult) {
        guard !state.isStopped, queues.contains(where: { $0 === eventQueue }) else { return }
        eventQueue.uploader.stop { [self] in
            queue.async { [self] in
                // In one step, so a purge finds the queue either open here or free.
                close(eventQueue)
                active.withLock { active in active.queues.removeAll { $0 === eventQueue } }
                endWaits(for: eventQueue, result)
                // When the server does not answer, it makes no sense to try the next queue now.
                guard result != .sent else { return look() }
                report(
                    Diagnostic(
                        .storage, "queue \(eventQueue.number) is released because its events could not be sent now",
                        reason: .givenBack))
            }
        }
    }

    private func endWaits(for eventQueue: EventQueue, _ result: FlushResult) {
        for index in state.waits.indices.reversed() {
            guard state.waits[index].queues.remove(ObjectIdentifier(eventQueue)) != nil else { continue }
            if result != .sent { state.waits[index].result = result }
            guard state.waits[index].queues.isEmpty else { continue }
            let wait = state.waits.remove(at: index)
            wait.completion(wait.result)
        }
    }

    /// A caller that waits until queues are released.
    private struct Wait {
        var queues: Set<ObjectIdentifier>
        var result = FlushResult.sent
        let completion: @Sendable (FlushResult) -> Void
    }
}
