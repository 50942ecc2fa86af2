import TributaryJSON
import WorkspaceCore

extension ForwardableEvents {
    /// The rows that are written together.
    /// - Parameters:
    ///   - after: the position.
    ///   - through: the last number that the range may have.
    ///   - isFixed: whether it has all rows up to there, because it was tried before.
    ///   - format: that of the objects.
    func range(
        after: Int64, through: Int64, isFixed: Bool, format: ObjectFormat
    ) async throws -> (ObjectRange, ObjectRange.End) {
        var range = ObjectRange(after: after, writeKey: writeKey, format: format)
        while true {
            try Task.checkCancellation()
            var query = query(after: range.through, before: through + 1)
            query.limit = Limits.objectPage
            let rows = try await store.storage.rows(query)
            let rules = await rules()
            for row in rows {
                let (receivedAt, candidate) = read(row, rules)
                if !isFixed, let receivedAt, range.isBeyond(receivedAt) { return (range, .nextHour) }
                try range.add(row.sequence, receivedAt: receivedAt, bytes: row.text.count, candidate)
                if !isFixed, range.isFull { return (range, .full) }
            }
            if rows.count < query.limit {
                range.reach(through)
                return (range, .lastRow)
            }
        }
    }

    /// When the row came, and what the destination gets of it. A row that cannot be read must not hold up all others.
    private func read(
        _ row: StoredRow, _ rules: ForwardingRules
    ) -> (receivedAt: Int64?, candidate: ForwardingMachine.Candidate) {
        do {
            let stored = try JSON.parse(row.text)
            let receivedAt = stored["receivedAt"]?.stringValue.flatMap { ISO8601.milliseconds($0) }
            return (receivedAt, candidate(stored, row.sequence, rules))
        } catch {
            logUnreadable(row, error)
            return (nil, .leftOut(row.sequence, .unreadable))
        }
    }
}
