import TributaryJSON
import WorkspaceCore

extension ForwardableEvents {
    /// The rows that are written together.
    /// - Parameters:
    ///   - after: the position.
    ///   - through: the last number that the stretch may have.
    ///   - isFixed: whether it has all rows up to there, because it was tried before.
    func stretch(after: Int64, through: Int64, isFixed: Bool) async throws -> (ObjectRange, ObjectRange.End) {
        var stretch = ObjectRange(after: after)
        while true {
            try Task.checkCancellation()
            var query = query(after: stretch.through, before: through + 1)
            query.limit = Limits.objectPage
            let rows = try await store.storage.rows(query)
            let rules = await rules()
            for row in rows {
                let (receivedAt, candidate) = read(row, rules)
                if !isFixed, let receivedAt, stretch.isBeyond(receivedAt) { return (stretch, .nextHour) }
                try stretch.add(row.sequence, receivedAt: receivedAt, bytes: row.text.count, candidate)
                if !isFixed, stretch.isFull { return (stretch, .full) }
            }
            if rows.count < query.limit {
                stretch.reach(through)
                return (stretch, .lastRow)
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
            switch try rules.decide(stored, row.sequence) {
            case .forward(let event): return (receivedAt, .event(event))
            case .leaveOut(let reason): return (receivedAt, .leftOut(row.sequence, reason))
            }
        } catch {
            logUnreadable(row, error)
            return (nil, .leftOut(row.sequence, .unreadable))
        }
    }
}
