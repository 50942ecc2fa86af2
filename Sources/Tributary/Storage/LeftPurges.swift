import Dispatch
import Foundation

/// Purges lanes that ended processes left. While the disk cannot record a purge, no client gets that lane, because a
/// client would send the purged events.
///
/// Unchecked because everything is only touched on `queue`.
final class LeftPurges: @unchecked Sendable {
    private let store: LaneStore
    private let queue: DispatchQueue
    private let time: any TimeSource
    /// Lanes that are open here until the disk has taken note.
    private var owing: [Lane] = []
    /// Lanes that could not be opened.
    private var unopened: Set<UInt64> = []
    private var isScheduled = false
    private var isStopped = false

    init(_ store: LaneStore) {
        self.store = store
        queue = store.queue
        time = store.values.time
    }

    /// The lanes that are not to be taken.
    var numbers: Set<UInt64> { unopened.union(owing.map(\.number)) }

    /// Purges a lane, unless somebody has it; tries again later when that is not possible now.
    func purge(_ number: UInt64) {
        if let lane = owing.first(where: { $0.number == number }) { return Self.purge(lane) }
        do {
            try take(number)
        } catch {
            unopened.insert(number)
            store.report(FailoverLog.notPurged("lane \(number)", error))
            tryAgain(after: FailoverLog.retryInterval)
        }
    }

    /// Closes a lane that nobody uses any more, now or once nothing of it would come back.
    func close(_ lane: Lane) {
        guard lane.owesPurge, !isStopped else { return lane.close() }
        owing.append(lane)
        tryAgain(after: FailoverLog.retryInterval)
    }

    func stop() {
        isStopped = true
        for lane in owing { lane.close() }
        owing = []
    }

    private func take(_ number: UInt64) throws {
        guard case .taken(let lane) = try store.adopt(number, evenIfEmpty: true) else { return }
        Self.purge(lane)
        close(lane)
    }

    private static func purge(_ lane: Lane) {
        lane.beginPurge()
        _ = lane.finishPurge()
    }

    private func tryAgain(after seconds: TimeInterval) {
        guard !isScheduled, !isStopped, !numbers.isEmpty else { return }
        isScheduled = true
        time.schedule(after: seconds, on: queue) { [weak self] in
            guard let self else { return }
            isScheduled = false
            guard !isStopped else { return }
            finish()
            tryAgain(after: min(2 * seconds, ReadRetries.longestPause))
        }
    }

    private func finish() {
        // What a lane owes, its logs bring to the disk by themselves.
        owing = owing.filter { lane in
            guard !lane.owesPurge else { return true }
            lane.close()
            return false
        }
        // That it failed was reported.
        for number in unopened where (try? take(number)) != nil { unopened.remove(number) }
    }
}
