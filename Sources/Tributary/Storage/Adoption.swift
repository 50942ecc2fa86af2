import Dispatch
import Foundation

/// Sees to it that what ended processes left is delivered: takes their lanes, empties them, gives them back.
///
/// A lane is held for one pass only: once through the timeline, once to the server. What could not be sent then is
/// tried again at the next look, so that a lane is hardly ever taken when its own client comes back.
///
/// Unchecked because all mutable state is only touched on `queue`, but for the list behind its lock.
final class Adoption: @unchecked Sendable {
    private let store: LaneStore
    private let own: Lane
    private let queue: DispatchQueue
    private let time: any TimeSource
    private let report: @Sendable (Diagnostic) -> Void
    /// Hands a lane to the pipeline; it comes back when its inbox is empty.
    private let process: @Sendable (Lane, @escaping @Sendable () -> Void) -> Void

    private var start: (@Sendable (Uploader) -> Void)?
    /// Lanes that cannot be opened, which was reported.
    private var refused: Set<UInt64> = []
    /// The newest change of identity by another process that was told of, or was there before.
    private var knownChange: Int64
    private var isStopped = false
    private var timer: (any ScheduledWork)?
    private let active = LockBox((lanes: [Lane](), purges: 0))
    private let purges: LeftPurges
    private var waits: [Wait] = []

    init(
        store: LaneStore, own: Lane,
        process: @escaping @Sendable (Lane, @escaping @Sendable () -> Void) -> Void
    ) {
        self.store = store
        self.own = own
        self.process = process
        queue = store.queue
        time = store.values.time
        report = store.report
        purges = LeftPurges(store)
        knownChange = .max
    }

    /// The lanes that are being emptied.
    var lanes: [Lane] { active.withLock { $0.lanes } }

    /// Begins to look for lanes, now and from time to time.
    /// - Parameter start: lets an uploader begin, with the server's address.
    func begin(_ start: @escaping @Sendable (Uploader) -> Void) {
        guard store.location != nil else { return }
        queue.async { [self] in
            self.start = start
            guard timer == nil else { return }
            knownChange = own.inbox.snapshot.flatMap(IdentitySnapshot.init)?.changedAt ?? .max
            lookAgain()
        }
    }

    /// Looks for lanes and calls back when each was let go of: `.sent` when all their events have arrived.
    ///
    /// One that was given back a moment ago is taken again, so that its events do not count as sent.
    func flush(_ completion: @escaping @Sendable (FlushResult) -> Void) {
        queue.async { [self] in
            if start != nil { look() }
            let held = Set(lanes.map(ObjectIdentifier.init))
            guard !held.isEmpty else { return completion(.sent) }
            waits.append(Wait(lanes: held, completion: completion))
        }
    }

    /// Gives every lane back.
    func stop(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            isStopped = true
            timer?.cancel()
            purges.stop()
            let group = DispatchGroup()
            for lane in lanes {
                group.enter()
                lane.uploader.stop {
                    lane.close()
                    group.leave()
                }
            }
            let unsent = lanes.reduce(0) { $0 + $1.unprocessed + $1.unsent }
            active.withLock { $0.lanes = [] }
            for wait in waits { wait.completion(.partly(remaining: unsent, reason: "the client has ended")) }
            waits = []
            group.notify(queue: queue) { completion() }
        }
    }

    /// From now on no lane is taken, so that nothing of one goes out that the purge has not met. Safe from any thread.
    /// - Returns: the lanes that are being emptied.
    func beginPurge() -> [Lane] {
        active.withLock { active in
            active.purges += 1
            return active.lanes
        }
    }

    /// Gives up what lies in lanes that nobody has, and what the others have not sent yet: by now, nothing of before is
    /// processed any more.
    func endPurge(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            // A lane whose inbox is empty is with the pipeline no more, so its purge ends here.
            for lane in lanes { lane.purgeProcessed() }
            let known = Set(lanes.map(\.number)).union([own.number])
            for number in store.numbers() where !known.contains(number) {
                purges.purge(number)
            }
            active.withLock { $0.purges -= 1 }
            if start != nil { look() }
            completion()
        }
    }

    private func lookAgain() {
        look()
        timer = time.schedule(after: Limits.adoptionInterval, on: queue) { [weak self] in
            guard let self, !isStopped else { return }
            lookAgain()
        }
    }

    private func look() {
        guard !isStopped, active.withLock({ $0.purges }) == 0 else { return }
        let known = Set(lanes.map(\.number)).union(refused).union(purges.numbers).union([own.number])
        var live = 0
        for number in store.numbers() where !known.contains(number) && lanes.count < Limits.adoptedLanes {
            do {
                switch try store.adopt(number) {
                case .taken(let lane): take(lane)
                case .inUse:
                    live += 1
                    compareIdentity(with: number)
                case .empty: break
                }
            } catch {
                // One that the system does not let anybody read now is looked at again.
                if StorageState.Reason(error) != .unreadable { refused.insert(number) }
                report(
                    Diagnostic(
                        .storage, "the events in lane \(number) are left alone: \(error)",
                        reason: .init(StorageState.Reason(error))))
            }
        }
        share(live: live)
    }

    /// Processes that run at the same time each keep the user that they know: what one of them says later does not reach
    /// the others before they start again. So that this is not silent, it is told.
    private func compareIdentity(with number: UInt64) {
        guard let ours = own.inbox.snapshot.flatMap(IdentitySnapshot.init), ours.info != nil,
            let theirs = store.identity(of: number), theirs.changedAt > max(ours.changedAt, knownChange),
            theirs.info != ours.info
        else { return }
        knownChange = theirs.changedAt
        report(
            Diagnostic(
                .configuration,
                "the client of lane \(number) knows another user: this one will at its next start"))
    }

    /// All lanes of the write key are bounded together.
    private func share(live: Int) {
        let others = store.numbers().filter { $0 != own.number }.map(store.survey)
        own.bounds.withLock { bounds in
            bounds = StorageShare.bounds(
                of: store.values.storageLimits, live: live + 1, othersBytes: others.reduce(0) { $0 + $1.bytes },
                othersRecords: others.reduce(0) { $0 + $1.records })
        }
    }

    private func take(_ lane: Lane) {
        let isTaken = active.withLock { active in
            guard active.purges == 0 else { return false }
            active.lanes.append(lane)
            return true
        }
        // A purge has begun meanwhile, which finds it there.
        guard isTaken else { return purges.close(lane) }
        report(
            Diagnostic(
                .storage, "lane \(lane.number) was left by another process and is emptied",
                reason: .adopted, count: lane.unprocessed + lane.outbox.count))
        start?(lane.uploader)
        process(lane) { [self] in
            _ = lane.uploader.flush(isPatient: false) { [self] result in
                queue.async { self.finish(lane, result) }
            }
        }
    }

    private func finish(_ lane: Lane, _ result: FlushResult) {
        guard !isStopped, lanes.contains(where: { $0 === lane }) else { return }
        lane.uploader.stop { [self] in
            queue.async { [self] in
                // In one turn, so that a purge finds it open here or with nobody.
                purges.close(lane)
                active.withLock { active in active.lanes.removeAll { $0 === lane } }
                endWaits(for: lane, result)
                // With a server that does not answer there is no point in trying the next one now.
                guard result != .sent else { return look() }
                report(
                    Diagnostic(
                        .storage, "lane \(lane.number) is given back, its events could not be sent now",
                        reason: .givenBack))
            }
        }
    }

    private func endWaits(for lane: Lane, _ result: FlushResult) {
        for index in waits.indices.reversed() {
            guard waits[index].lanes.remove(ObjectIdentifier(lane)) != nil else { continue }
            if result != .sent { waits[index].result = result }
            guard waits[index].lanes.isEmpty else { continue }
            let wait = waits.remove(at: index)
            wait.completion(wait.result)
        }
    }

    /// A caller that waits until lanes are released.
    private struct Wait {
        var lanes: Set<ObjectIdentifier>
        var result = FlushResult.sent
        let completion: @Sendable (FlushResult) -> Void
    }
}
