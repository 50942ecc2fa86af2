import Foundation
import GRDB
import Logging
import ServiceLifecycle
import WorkspaceCore
import WorkspaceServer

/// Counts the health reports that all nodes of a cluster received, and moves roll-outs, one step after the other.
///
/// Every node counts all reports into its own tables, in the order of the log, so all have the same sums and samples.
/// One node moves the roll-outs, when it has counted the whole log.
struct HealthFollower: Service {
    let store: Store
    let sources: SourceRegistry
    let health: HealthLog
    let steps: RolloutSteps
    let metrics: ServerMetrics
    /// The time between two looks at the log, and between two looks at the roll-outs.
    let pause: Duration
    let rolloutPause: Duration
    let now: @Sendable () -> Int64
    let logger: Logger
    let failures: RepeatedFailures

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                let clock = RolloutPoll()
                group.addTask { await RolloutPoll.every(rolloutPause, clock.set) }
                group.addTask { await RolloutPoll.every(min(pause, rolloutPause), health.progress.wake) }
                await work(clock)
                group.cancelAll()
            }
        }
    }

    private func work(_ clock: RolloutPoll) async {
        var desk = ReportCounter(store: store, sources: sources, metrics: metrics)
        var shortSince: Int64?
        for await _ in health.progress.signals {
            do {
                let end = try await catchUp(&desk, &shortSince)
                guard end.isReached else { continue }
                if clock.take(hasReports: end.hasReports) { await steps.look(&desk.samples) }
            } catch is CancellationError {
                return
            } catch {
                await health.progress.fail()
                failures.log(
                    "the health reports of the cluster cannot be counted now", kind: "health reports", logger,
                    metadata: ["error": "\(error)"])
            }
        }
    }

    /// Counts the records of the log.
    /// - Parameter shortSince: when the log was first seen to end too early; nil while it does not.
    /// - Returns: whether its end was reached, and whether there were records.
    func catchUp(
        _ desk: inout ReportCounter, _ shortSince: inout Int64?
    ) async throws -> (isReached: Bool, hasReports: Bool) {
        var hasReports = false
        while true {
            let standing = try await health.log.standing(of: 0)
            let known = try await store.pool.read(HealthLogOffset.read)
            let step = HealthLogStep(known, standing, shortFor: shortSince.map { now() - $0 } ?? 0)
            shortSince = step == .wait ? shortSince ?? now() : nil
            switch step {
            case .current:
                if let known { await health.progress.note(known, isFollowing: true) }
                return (true, hasReports)
            case .wait: throw LogError.wentBack(last: standing.last, known: known?.place ?? 0)
            case .begin(let place, let reason): try await begin(behind: place, because: reason, standing)
            case .read(let place):
                guard let known else { continue }
                // This node's settings or the server of the log are behind. The node looks again soon.
                guard try await count(from: place, known, &desk) else {
                    await health.progress.fail()
                    return (false, hasReports)
                }
                hasReports = true
            }
        }
    }

    /// Notes the place from which this node counts.
    private func begin(
        behind place: UInt64, because reason: HealthLogStep.Reason, _ standing: LogRange
    ) async throws {
        var since: Int64? = now()
        if let first = try await health.log.read(0, from: place + 1, atMost: 1, bytes: Self.bytesAtOnce).first {
            since = try HealthRecord.read(first.bytes)?.reports.map(\.receivedAt).min() ?? since
        }
        // A cluster that was founded with the sums of one machine goes on with them.
        if reason == .new, try await store.hasHealth() { since = nil }
        let begun = HealthLogOffset(incarnation: standing.incarnation, place: place, since: since)
        try await store.pool.write { db in try begun.write(db) }
        await health.progress.note(begun, isFollowing: false)
        guard reason != .new else { return }
        logger.error(
            "health reports are missing in the sums of this node", metadata: ["because": "\(reason)"])
    }

    /// Counts the next records, in one transaction.
    /// - Returns: false when there is none yet, or the first of them has to wait until this node has applied more changes of
    ///   the settings.
    private func count(
        from place: UInt64, _ known: HealthLogOffset, _ desk: inout ReportCounter
    ) async throws -> Bool {
        let records = try await health.log.read(0, from: place, atMost: Self.recordsAtOnce, bytes: Self.bytesAtOnce)
        let applied = try await store.pool.read(AppliedChange.read)
        var (reports, through): ([SourceReport], UInt64) = ([], known.place)
        for record in records {
            guard let read = try readable(record, isFirst: through == known.place) else { break }
            guard read.settings.isApplied(by: applied) else { break }
            reports += read.reports.map { report in
                var report = report
                report.isOwn = read.node == health.node
                return report
            }
            through = record.place
        }
        guard through > known.place else { return false }
        let counted = HealthLogOffset(incarnation: known.incarnation, place: through, since: known.since)
        try await desk.count(reports, through: counted)
        await health.progress.note(counted, isFollowing: false)
        return true
    }

    /// The record; an empty one when it cannot be read. Nil when a newer version wrote it and other records come before
    /// it.
    private func readable(_ record: LogRecord, isFirst: Bool) throws -> HealthRecord? {
        do {
            if let read = try HealthRecord.read(record.bytes) { return read }
        } catch {
            guard !isFirst else { throw error }
            return nil
        }
        failures.log(
            "a record of health reports cannot be read and is left out", kind: "health record", logger,
            metadata: ["place": "\(record.place)"])
        return HealthRecord(node: "", settings: AppliedChange(incarnation: "", place: 0), reports: [])
    }

    private static let recordsAtOnce = 256
    private static let bytesAtOnce = 1 << 20
}

extension AppliedChange {
    /// Whether a node that has applied `node` knows these settings. Settings of a former log no longer matter.
    fileprivate func isApplied(by node: AppliedChange?) -> Bool {
        guard let node else { return false }
        return incarnation != node.incarnation || place <= node.place
    }
}
