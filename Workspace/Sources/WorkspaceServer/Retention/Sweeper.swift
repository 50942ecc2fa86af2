import Logging
import ServiceLifecycle
import WorkspaceCore

/// Deletes old days, and prepares days that ended for searches, at the start and each hour.
struct Sweeper: Service {
    let store: Store
    let readYourWrites: ReadYourWrites
    let retention: Retention
    /// Whether a shorter retention may delete at once what was kept.
    var isConfirmed = false
    /// One node of a cluster deletes the days of all. Each one deletes its own sums of health reports.
    var isCoordinator: @Sendable () -> Bool = { true }
    let now: @Sendable () -> Int64
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isLeap = false
            var shorter: RetentionState.Shorter?
            repeat {
                (isLeap, shorter) = await pass(isLasting: isLeap, reported: shorter)
                await store.storage.summarize()
            } while await pause()
        }
    }

    /// - Parameters:
    ///   - isLasting: whether the clock was ahead at the pass before.
    ///   - reported: a shorter retention that the log names already.
    /// - Returns: whether the clock is ahead of what can be believed, and the shorter retention that waits.
    func pass(
        isLasting: Bool, reported: RetentionState.Shorter? = nil
    ) async -> (isLeap: Bool, shorter: RetentionState.Shorter?) {
        let clock = Day(milliseconds: now())
        do {
            // Waiting requests may belong to a day that is about to be deleted, so they are stored first.
            let isCaughtUp = await cancelWhenGracefulShutdown {
                await readYourWrites.isCaughtUp(within: Limits.sweepPatience)
            }
            guard isCaughtUp else {
                if Task.isShuttingDownGracefully || Task.isCancelled { return (isLasting, reported) }
                logger.warning("old days are kept for now, because requests wait that may belong to them")
                return (isLasting, reported)
            }
            let swept = try await store.sweep(
                clock, retention, isLasting: isLasting, isConfirmed: isConfirmed, deletesDays: isCoordinator())
            for day in swept.removed {
                logger.notice("the events of an old day were deleted", metadata: ["day": "\(day)"])
            }
            report(swept, clock)
            if swept.shorter != reported, let days = try await store.endangeredDays() {
                logger.warning("\(days.warning)", metadata: days.metadata)
            }
            return (swept.clock == .ahead, swept.shorter)
        } catch is CancellationError {
            return (isLasting, reported)  // the server ends
        } catch {
            logger.error("old days cannot be deleted", metadata: ["error": "\(error)"])
            return (isLasting, reported)
        }
    }

    private func report(_ swept: Store.Swept, _ clock: Day) {
        switch swept.clock {
        case .steady: break
        case .ahead:
            logger.warning(
                "the clock is more than a day ahead of what it was; one old day is deleted an hour",
                metadata: ["clock": "\(clock)", "believed": "\(swept.today)"])
        case .behind:
            logger.warning(
                "the clock is more than a day behind what it was; no day is deleted before the clock says so",
                metadata: ["clock": "\(clock)"])
        }
    }

    /// False when the server stops.
    private func pause() async -> Bool {
        do {
            try await Task.sleep(for: Limits.sweepInterval)
            return true
        } catch {
            return false
        }
    }
}

extension EndangeredDays {
    var warning: String {
        """
        --retain-days \(wanted) deletes days that were kept until now. That begins on \(from) (UTC) and cannot be undone. To keep \
        them, start with --retain-days \(kept ?? 0) before; to delete them at once, with --confirm-retain-days \(wanted)
        """
    }

    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "days": "\(days.count)", "first": "\(days.first?.description ?? "")",
            "last": "\(days.last?.description ?? "")",
        ]
        if let events { metadata["events"] = "\(events)" }
        return metadata
    }
}

extension Limits {
    /// The time between two searches for days that are too old, and how long such a search waits for the journal to be
    /// indexed.
    static let sweepInterval = Duration.seconds(3_600)
    static let sweepPatience = Duration.seconds(600)
    /// How many days a shorter retention waits before it deletes kept events: at least one whole day.
    static let retentionGraceDays: Int64 = 2
}
