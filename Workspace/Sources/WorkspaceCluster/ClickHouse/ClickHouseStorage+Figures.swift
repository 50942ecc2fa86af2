import WorkspaceCore
import WorkspaceServer

extension ClickHouseStorage {
    func figures(source: Int64?) async throws -> StorageFigures {
        var query = ClickHouseQuery()
        let ofSource = source.map { " AND source = \(query.value($0))" } ?? ""
        query.text = """
            SELECT count() FROM \(rows) WHERE kind = \(RowIdentity.Kind.trace.rawValue) AND dropped = 1\(ofSource)
            """
        var answer = try await client.read(query)
        let drops = try answer.number(UInt64.self)
        let latencies = try await latencies(source)
        return StorageFigures(
            counted: try await counted(source), tracedDrops: Int64(clamping: drops), latencies: latencies)
    }

    private func counted(_ source: Int64?) async throws -> StorageFigures.Counted {
        var query = ClickHouseQuery()
        let ofSource = source.map { " AND source = \(query.value($0))" } ?? ""
        let (event, rejected) = (RowIdentity.Kind.event.rawValue, RowIdentity.Kind.rejected.rawValue)
        query.text = """
            SELECT kind, type, count() FROM \(rows) WHERE kind IN (\(event), \(rejected))\(ofSource) GROUP BY kind, type
            """
        var answer = try await client.read(query)
        var counted = StorageFigures.Counted()
        while !answer.isAtEnd {
            let (kind, type) = (try answer.number(UInt8.self), try answer.text())
            let count = Int64(clamping: try answer.number(UInt64.self))
            if kind == event { counted.byType[type, default: 0] += count } else { counted.rejected += count }
        }
        return counted
    }

    /// The events that each source sent on a day, as far as they are stored.
    func received(on day: Day) async throws -> [Int64: Int] {
        var query = ClickHouseQuery()
        query.text = """
            SELECT source, count() FROM \(table)
            WHERE day = \(query.value(day.number)) AND kind = \(RowIdentity.Kind.event.rawValue) GROUP BY source
            """
        var answer = try await client.read(query)
        var counts: [Int64: Int] = [:]
        while !answer.isAtEnd {
            let source = try answer.number(Int64.self)
            counts[source] = Int(clamping: try answer.number(UInt64.self))
        }
        return counts
    }

    /// Milliseconds from the call on the device to the store, newest first.
    ///
    /// Both clocks are believed. Events of a device whose clock is ahead of the server's are left out.
    private func latencies(_ source: Int64?) async throws -> [Int64] {
        var query = ClickHouseQuery()
        let ofSource = source.map { " AND source = \(query.value($0))" } ?? ""
        query.text = """
            SELECT source, messageId, day, trackedAt FROM \(rows)
            WHERE kind = \(RowIdentity.Kind.trace.rawValue)\(ofSource)
            ORDER BY number DESC LIMIT \(Limits.tracesLookedAt)
            """
        var answer = try await client.read(query)
        var traces: [(event: RowIdentity, trackedAt: Int64)] = []
        var days: Set<Day> = []
        while !answer.isAtEnd {
            let (source, id) = (try answer.number(Int64.self), try answer.optionalText() ?? "")
            days.insert(Day(number: Int64(try answer.number(Int32.self))))
            traces.append((RowIdentity(kind: .event, source: source, id: id), try answer.number()))
        }
        guard !traces.isEmpty else { return [] }
        let stored = try await storing(of: traces.map(\.event), on: days)
        return traces.compactMap { trace in
            stored[trace.event].flatMap { $0 >= trace.trackedAt ? $0 - trace.trackedAt : nil }
        }
    }

    /// When events were stored.
    private func storing(of events: [RowIdentity], on days: Set<Day>) async throws -> [RowIdentity: Int64] {
        var query = ClickHouseQuery()
        let conditions = [
            "kind = \(RowIdentity.Kind.event.rawValue)", "day IN \(query.list(days))",
            "key IN \(query.list(events.map(\.key)))",
        ]
        query.text =
            "SELECT kind, source, key, storedAt FROM \(rows) WHERE \(conditions.joined(separator: " AND "))"
        var answer = try await client.read(query)
        var stored: [RowIdentity: Int64] = [:]
        while !answer.isAtEnd { stored[try answer.identity()] = try answer.number() }
        return stored
    }
}
