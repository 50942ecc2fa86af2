import GRDB
import Logging

extension SQLiteDays {
    /// Makes the summaries of days that ended and have none. One that cannot be made now is made the next time; until then
    /// its day is opened.
    package func summarize() async {
        let extents = files.extents
        guard let newest = extents.keys.max() else { return }
        for day in extents.keys.sorted() where day < newest && !summaries.has(day) {
            do {
                try await summarize(day)
            } catch is CancellationError {
                return
            } catch {
                logger.warning(
                    "the summary of a day cannot be written now", metadata: ["day": "\(day)", "error": "\(error)"])
            }
        }
    }

    private func summarize(_ day: Day) async throws {
        // Asked before the day is read, so that a summary of events that changed meanwhile is not taken.
        let changes = summaries.changes(of: day)
        guard let making = try await making(of: day) else { return }
        try summaries.take(making, of: day, changes)
    }

    /// Reads one column at a time: an erasure cannot empty the log of a day during a read.
    func making(of day: Day) async throws -> DaySummaryBuilder? {
        guard var making = try await read(day, { db in try DaySummaryBuilder(db) }) else { return nil }
        for column in DaySummaryBuilder.columns {
            let before = making
            let after = try await read(day) { db in
                var making = before
                try making.insert(column, db)
                return making
            }
            guard let after else { return nil }
            making = after
        }
        return making
    }
}
