import Logging
import ServiceLifecycle

/// Deletes old days, and prepares days that ended for searches, at the start and each hour.
struct Sweeper: Service {
    let store: Store
    let readYourWrites: ReadYourWrites
    let retention: Retention
    /// One node of a cluster deletes the days of all. Each one deletes its own sums of health reports.
    var isCoordinator: @Sendable () -> Bool = { true }
    let now: @Sendable () -> Int64
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isLeap = false
            repeat {
                isLeap = await pass(isLasting: isLeap)
                await store.storage.summarize()
            } while await pause()
        }
    }

    /// - Parameter isLasting: whether the clock was ahead at the pass before.
    /// - Returns: whether it is ahead of what can be believed.
    func pass(isLasting: Bool) async -> Bool {
        let clock = Day(milliseconds: now())
        do {
            // Waiting requests may belong to a day that is about to be deleted, so they are stored first.
            guard await readYourWrites.isCaughtUp(within: Limits.sweepPatience) else {
                logger.warning("old days are kept for now, because requests wait that may belong to them")
                return isLasting
            }
            let swept = try await store.sweep(
                clock, retention, isLasting: isLasting, deletesDays: isCoordinator())
            for day in swept.removed {
                logger.notice("the events of an old day were deleted", metadata: ["day": "\(day)"])
            }
            report(swept, clock)
            return swept.clock == .ahead
        } catch is CancellationError {
            return isLasting  // the server ends
        } catch {
            logger.error("old days cannot be deleted", metadata: ["error": "\(error)"])
            return isLasting
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

extension Limits {
    /// The time between two searches for days that are too old, and how long such a search waits for the journal to be
    /// indexed.
    static let sweepInterval = Duration.seconds(3_600)
    static let sweepPatience = Duration.seconds(600)
}
