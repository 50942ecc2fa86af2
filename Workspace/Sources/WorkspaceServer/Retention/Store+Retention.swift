import GRDB
import TributaryJSON
import WorkspaceCore

/// Days that a shorter retention is going to delete.
struct EndangeredDays: Sendable, Equatable {
    /// How many days the configuration keeps.
    let wanted: Int
    /// How many days were kept until now; nil keeps all.
    let kept: Int?
    let days: [Day]
    /// Events of these days; nil in a cluster, where the store of the events is elsewhere.
    let events: Int?
    /// The day on which they are deleted.
    let from: Day
}

extension Store {
    /// The days that a shorter retention is going to delete; nil when no day is in danger.
    func endangeredDays() async throws -> EndangeredDays? {
        let noted = try await pool.read { (try Self.retention($0), try Self.sweepState($0)?.today) }
        guard let state = noted.0, let shorter = state.shorter, let wanted = shorter.retention.days,
            let today = noted.1
        else { return nil }
        let days = state.endangered(try await storage.days(), today: today)
        guard !days.isEmpty else { return nil }
        let counts = storage.hasDayFiles ? messages.sizes : nil
        return EndangeredDays(
            wanted: wanted, kept: state.inEffect.days, days: days,
            events: counts.map { counts in days.reduce(0) { $0 + (counts[$1] ?? 0) } }, from: shorter.from)
    }

    /// Finds out which retention is in effect now, and notes it.
    ///
    /// The nodes of a cluster share the note, so a shorter retention waits once, whichever node coordinates meanwhile.
    /// - Parameters:
    ///   - today: the day that is believed.
    ///   - before: the day that was believed before; nil at the first time.
    ///   - decides: false for a node of a cluster that does not coordinate. It follows the note.
    func retentionInEffect(
        _ wanted: Retention, isConfirmed: Bool, today: Day, before: Day?, decides: Bool
    ) async throws -> RetentionState {
        let days = try await storage.days()
        // Other nodes of a cluster may have kept days before this one began.
        let first = RetentionState.first(wanted, before: storage.hasDayFiles ? before : today, days: days)
        @Sendable func next(_ noted: RetentionState?) -> RetentionState {
            guard decides else { return noted ?? first }
            return (noted ?? first).next(wanted, isConfirmed: isConfirmed, days: days, today: today)
        }
        let noted = try await pool.read(Self.retention)
        guard decides, next(noted) != noted else { return next(noted) }
        return try await change { db in
            let state = next(try Self.retention(db))
            try db.execute(
                sql: "INSERT OR REPLACE INTO retention (id, body) VALUES (1, ?)",
                arguments: [state.json.description])
            return state
        }
    }

    /// Nil when none was noted.
    static func retention(_ db: Database) throws -> RetentionState? {
        guard let text = try String.fetchOne(db, sql: "SELECT body FROM retention") else { return nil }
        // A damaged row must not keep old days for ever, so it counts as none.
        return (try? JSON.parse(text)).flatMap { RetentionState($0) }
    }
}
