import Foundation
import GRDB
import Synchronization
import TributaryJSON

extension Store {
    /// The events of a source that differed from its plan. They are counted when they come, by the plan of that time.
    package func planCounts(of source: Int64, on days: ClosedRange<Day>) async throws -> PlanCounts {
        let rows = try await pool.read { db in
            try Row.fetchAll(
                db, sql: "SELECT name, value FROM counter WHERE source = ? AND name >= ? AND name < ?",
                arguments: [source, PlanCounter.prefix, PlanCounter.end]
            ).map { (try $0.decode(String.self, atIndex: 0), try $0.decode(Int64.self, atIndex: 1)) }
        }
        var counts = PlanCounts()
        for (name, value) in rows {
            guard let (day, event, key) = PlanCounter.parse(name), days.contains(day) else { continue }
            switch (event, key) {
            case (let event?, let key?): counts.values[event, default: [:]][key, default: 0] += value
            case (let event?, nil): counts.events[event, default: [:]][day, default: 0] += value
            case (nil, _): counts.unplanned[day, default: 0] += value
            }
        }
        return counts
    }

    /// How many events of a source differed since it was made: of one planned event, or of all names. It only grows,
    /// unless the events of the source are deleted.
    package func planCount(of source: Int64, _ event: CountedName?) async throws -> Int64 {
        let all = PlanCounter.name(nil, nil).dropLast(2)
        return try await pool.read { db in
            if let event {
                return try Int64.fetchOne(
                    db, sql: "SELECT value FROM counter WHERE source = ? AND name = ?",
                    arguments: [source, PlanCounter.name(nil, event)]) ?? 0
            }
            return try Int64.fetchOne(
                db, sql: "SELECT sum(value) FROM counter WHERE source = ? AND name >= ? AND name < ?",
                arguments: [source, String(all), PlanCounter.end]) ?? 0
        }
    }

    /// The judges of some sources that have a plan.
    static func planJudges(of sources: Set<Int64>, _ known: PlanJudges, _ db: Database) throws -> [Int64: PlanJudge] {
        var judges: [Int64: PlanJudge] = [:]
        for source in sources {
            let sql = "SELECT plan FROM source WHERE id = ? AND length(plan) > 2"
            guard let text = try Data.fetchOne(db, sql: sql, arguments: [source]) else { continue }
            judges[source] = try known.judge(of: source, text)
        }
        return judges
    }

    /// Deletes the counts of days that are too long ago, once for each new day.
    func forgetOldPlanCounts(_ counts: [WritePlan.Counter: Int], _ db: Database) throws {
        let days = counts.keys.compactMap {
            $0.name.hasPrefix(PlanCounter.prefix) ? PlanCounter.parse($0.name)?.day : nil
        }
        guard let newest = days.max(), planJudges.isNew(newest) else { return }
        // The places of a number that has no digits are those of 0.
        let sql = """
            DELETE FROM counter WHERE name >= ? AND name < ? AND CAST(substr(name, 6) AS INTEGER) BETWEEN 1 AND ?
            """
        try db.execute(
            sql: sql, arguments: [PlanCounter.prefix, PlanCounter.end, newest.number - Limits.planCountDays])
    }
}

/// The judges of plans that were read before. May be used from any thread.
final class PlanJudges: Sendable {
    private struct Known {
        let text: Data
        let judge: PlanJudge?
    }

    private let known = Mutex<[Int64: Known]>([:])
    private let newestDay = Mutex<Day?>(nil)

    /// The judge of a source; nil when its plan has no events.
    /// - Parameter text: the plan as it is stored.
    func judge(of source: Int64, _ text: Data) throws -> PlanJudge? {
        if let found = known.withLock({ $0[source] }), found.text == text { return found.judge }
        let judge = PlanJudge(try TrackingPlan(try JSON.parse([UInt8](text))))
        known.withLock { $0[source] = Known(text: text, judge: judge) }
        return judge
    }

    /// Whether no later day was asked for.
    func isNew(_ day: Day) -> Bool {
        newestDay.withLock { newest in
            guard newest.map({ $0 < day }) ?? true else { return false }
            newest = day
            return true
        }
    }
}
