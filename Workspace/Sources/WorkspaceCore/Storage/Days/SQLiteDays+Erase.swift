import Foundation
import GRDB

extension SQLiteDays {
    /// First all days are asked what the person was called before logging in; then each day is gone through. Rows are
    /// looked for beside the indexer, and only days that have some are written.
    package func erase(_ person: Person, _ progress: @escaping @Sendable (ErasureProgress) -> Void) async throws {
        var person = person
        let days = days()
        for day in days {
            let parts = indexParts(of: day)
            let ids = try await read(day) { [userId = person.userId] db in
                try DaySubjects.anonymousIds(of: userId, db, parts)
            }
            person.anonymousIds.formUnion(ids ?? [])
        }
        var state = ErasureProgress(days: days.count, devices: person.anonymousIds)
        progress(state)
        for day in days {
            try Task.checkCancellation()
            state.erased = state.erased + (try await erase(person, from: day))
            state.daysDone += 1
            progress(state)
        }
    }

    private func erase(_ person: Person, from day: Day) async throws -> Erased {
        let parts = indexParts(of: day)
        let (subjects, isUnfinished) =
            try await read(day) { db in
                (try DaySubjects(of: person, db, parts), try DayOverwriting.isUnfinished(db))
            } ?? (DaySubjects(), false)
        guard !subjects.isEmpty || isUnfinished, let pool = try files.pool(for: day) else { return Erased() }
        try summaries.erase(day)
        let overwriting = DayOverwriting(pool: pool)
        var erased = Erased()
        // In steps, so that the log of the day stays small and events can be stored in between.
        for step in subjects.steps {
            try Task.checkCancellation()
            erased = erased + (try await overwriting.delete { [person] db in try step.delete(person, db, parts) })
        }
        try await overwriting.finish()
        // One that was made meanwhile may have been made of rows that are gone now.
        try summaries.erase(day)
        try await change {
            // The day may have been given up meanwhile.
            guard self.files.extents[day] != nil else { return }
            self.files.setExtent(try pool.read(DayExtent.init), of: day)
            self.forgetFigures(of: day)
        }
        return erased
    }

    /// The parts of the indexes of a day in which there can be rows.
    private func indexParts(of day: Day) -> Set<Int64> {
        guard let extent = files.extents[day] else { return [] }
        let ranges = [extent.stream, extent.rejected].compactMap { $0 }
        return Set(
            ranges.flatMap {
                ($0.lowerBound / DaySchema.rowsOfIndexPart)...($0.upperBound / DaySchema.rowsOfIndexPart)
            })
    }
}
