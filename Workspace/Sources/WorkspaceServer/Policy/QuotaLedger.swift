import Synchronization
package import WorkspaceCore

/// Counts the events and requests of each source in memory, and checks them against its quota.
///
/// May be used from any thread; a check is a look into a dictionary under a lock.
package final class QuotaLedger: Sendable {
    fileprivate struct Usage {
        /// The day, in days since 1970.
        var day: Int64
        /// The events of the day that came before the process began, that it took itself, and that other nodes took meanwhile.
        var before = 0
        var own = 0
        var elsewhere = 0
        /// The requests that were refused on the day.
        var refused = 0
        /// The number of requests that may come now; it refills with time.
        var requests: Double
        var refilledAt: Int64
    }

    private let now: @Sendable () -> Int64
    private let usages: Mutex<[Int64: Usage]>

    /// - Parameter today: what each source sent today before this process began.
    package init(today: [Int64: Int], now: @escaping @Sendable () -> Int64) {
        self.now = now
        let time = now()
        usages = Mutex(
            today.mapValues {
                Usage(day: time / Day.milliseconds, before: $0, requests: .infinity, refilledAt: time)
            })
    }

    /// Counts a request with so many events.
    /// - Throws: `Refusal` with the time after which to try again, when the quota is exceeded; then nothing is
    ///   counted.
    package func take(_ events: Int, of source: Int64, within quota: Quota) throws(Refusal) {
        guard quota != Quota() else { return }
        let time = now()
        let refusal = usages.withLock { usages in
            var usage = usages[source] ?? Self.fresh(time)
            usage.advance(to: time, quota)
            let refusal = usage.take(events, quota, at: time)
            if refusal != nil { usage.refused += 1 }
            usages[source] = usage
            return refusal
        }
        if let refusal { throw refusal }
    }

    /// Takes back the count of a request that was refused afterwards.
    func giveBack(_ events: Int, of source: Int64, within quota: Quota) {
        guard quota != Quota() else { return }
        usages.withLock { $0[source]?.own -= events }
    }

    /// The events that a source with a quota sent today, and its requests that were refused today since the start.
    func today(of source: Int64) -> (events: Int, refused: Int) {
        let day = now() / Day.milliseconds
        let usage = usages.withLock { $0[source] }
        guard let usage, usage.day >= day else { return (0, 0) }
        return (usage.events, usage.refused)
    }

    /// The events that this process took today, for the other nodes of a cluster.
    package var own: DayCounts {
        let day = now() / Day.milliseconds
        let counted = usages.withLock { usages in usages.filter { $0.value.day == day && $0.value.own > 0 } }
        return DayCounts(day: day, events: counted.mapValues(\.own))
    }

    /// Notes what the other nodes of a cluster took since this process began.
    package func note(elsewhere counts: DayCounts) {
        let time = now()
        usages.withLock { usages in
            for (source, count) in counts.events {
                var usage = usages[source] ?? Self.fresh(time)
                usage.begin(counts.day)
                if usage.day == counts.day { usage.elsewhere = count }
                usages[source] = usage
            }
        }
    }

    private static func fresh(_ time: Int64) -> Usage {
        Usage(day: time / Day.milliseconds, requests: .infinity, refilledAt: time)
    }
}

extension QuotaLedger.Usage {
    fileprivate var events: Int { before + own + elsewhere }

    fileprivate mutating func begin(_ today: Int64) {
        guard today > day else { return }
        (day, before, own, elsewhere, refused) = (today, 0, 0, 0, 0)
    }

    /// A clock that goes back gives nothing and takes nothing.
    fileprivate mutating func advance(to time: Int64, _ quota: Quota) {
        begin(time / Day.milliseconds)
        guard let rate = quota.requestsPerSecond else { return }
        let elapsed = Double(max(0, time - refilledAt)) / 1000
        requests = min(Double(rate), requests + elapsed * Double(rate))
        refilledAt = time
    }

    fileprivate mutating func take(_ count: Int, _ quota: Quota, at time: Int64) -> Refusal? {
        if let rate = quota.requestsPerSecond {
            guard requests >= 1 else {
                return .quota("this source may send \(rate) requests a second", after: 1)
            }
        }
        if let limit = quota.eventsPerDay {
            guard events < limit else {
                let rest = Day.milliseconds - time % Day.milliseconds
                return .quota("this source has sent its \(limit) events of today", after: (rest + 999) / 1000)
            }
        }
        if quota.requestsPerSecond != nil { requests -= 1 }
        own += count
        return nil
    }
}

extension Refusal {
    /// The client keeps its events and sends them after this number of seconds.
    fileprivate static func quota(_ message: String, after seconds: Int64) -> Refusal {
        Refusal(.tooMany, message, retryAfter: seconds)
    }
}
