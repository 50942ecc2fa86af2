import GRDB
import Logging

extension SQLiteDays {
    /// Makes the summaries of days that ended and have none. One that cannot be made now is made the next time; until then
    /// its day is opened.
    func summarize() async {
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
        // Asked before the transaction begins that the summary is made of.
        let changes = summaries.changes(of: day)
        guard let making = try await read(day, { db in try DaySummaryMaking(db) }) else { return }
        try summaries.take(making, of: day, changes)
    }
}
