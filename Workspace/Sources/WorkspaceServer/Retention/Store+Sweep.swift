import Foundation
import GRDB
package import WorkspaceCore

extension Store {
    /// The result of a pass over the days.
    package struct Swept: Sendable, Equatable {
        /// The day that is believed.
        let today: Day
        let clock: Retention.Clock
        let removed: [Day]
        /// A shorter retention that waits; nil when none does.
        var shorter: RetentionState.Shorter?
    }

    /// Deletes old days, and then the ids of messages that are older still.
    /// - Parameters:
    ///   - wanted: the retention of the configuration.
    ///   - isLasting: whether the clock was ahead an hour ago as well.
    ///   - isConfirmed: whether a shorter retention may delete at once what was kept.
    ///   - deletesDays: false for a node of a cluster where another one deletes the days of all, and decides about a shorter
    ///     retention.
    func sweep(
        _ clock: Day, _ wanted: Retention, isLasting: Bool, isConfirmed: Bool = false, deletesDays: Bool = true
    ) async throws -> Swept {
        let before = try await pool.read(Self.sweepState)
        let standing = Retention.Clock(clock, before: before?.today)
        let due = standing == .ahead && isLasting ? try await due(wanted) : []
        let today = Retention.today(clock, before: before?.today, isLasting: isLasting, due: due)
        let state = try await retentionInEffect(
            wanted, isConfirmed: isConfirmed, today: today, before: before?.today, decides: deletesDays)
        let retention = state.inEffect
        var removed: [Day] = []
        if deletesDays, let first = retention.firstKept(today) {
            for day in try await storage.days() where day < first {
                // A day that is gone and is not noted as deleted is a loss.
                if storage.hasDayFiles { try await pool.write { try DayRecords.noteDeleted(day, $0) } }
                try await storage.remove(day)
                removed.append(day)
            }
            try await pruneDeadLetters(before: first.start)
        }
        try await removeHealth(
            before: today.advanced(by: -retention.healthDays))
        var pruned = before?.pruned
        if let first = retention.firstRemembered(today), first > pruned ?? Day(number: .min) {
            try await messages.forget(before: first, in: pool)
            pruned = first
        }
        let swept = (today: today, pruned: pruned ?? today.advanced(by: -1_000_000))
        try await pool.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO sweep (id, today, pruned) VALUES (1, ?, ?)",
                arguments: [swept.today.number, swept.pruned.number])
        }
        return Swept(today: today, clock: standing, removed: removed, shorter: state.shorter)
    }

    /// The days on which something that is there goes.
    private func due(_ retention: Retention) async throws -> [Day] {
        let health = try await pool.read { db in
            try Int64.fetchAll(db, sql: "SELECT DISTINCT hour / 24 FROM healthHour").map { Day(number: $0) }
        }
        return retention.due(events: try await storage.days(), messages: messages.days, health: health)
    }

    static func sweepState(_ db: Database) throws -> (today: Day, pruned: Day)? {
        try Row.fetchOne(db, sql: "SELECT today, pruned FROM sweep").map { row in
            (Day(number: try row.decode(Int64.self, atIndex: 0)), Day(number: try row.decode(Int64.self, atIndex: 1)))
        }
    }
}
