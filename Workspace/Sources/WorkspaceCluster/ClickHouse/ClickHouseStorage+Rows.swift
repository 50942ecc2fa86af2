import WorkspaceCore
import WorkspaceServer

extension ClickHouseStorage {
    func rows(_ query: RowQuery) async throws -> [StoredRow] {
        let found = try await found(query)
        switch query.list {
        case .bodies:
            return found.map { row in
                var stored = StoredRow(kind: .event, sequence: row.number, text: [], body: row.body)
                stored.times = (row.timestamp, row.receivedAt)
                return stored
            }
        case .events, .stream:
            let traces = try await traces(of: found.filter { $0.kind == .event })
            return try found.map { try $0.row(query.writeKeys, trace: traces[$0.traceIdentity]) }
        case .drops, .signals, .rejected:
            return try found.map { try $0.row(query.writeKeys, trace: nil) }
        }
    }

    func most(_ query: RowQuery) async throws -> Int {
        guard (query.after ?? .min) < (query.before ?? .max) else { return 0 }
        var statement = ClickHouseQuery()
        let filter = filter(query, &statement)
        statement.text = "SELECT count() FROM \(table) WHERE \(filter)"
        var answer = try await client.read(statement)
        return Int(clamping: try answer.number(UInt64.self))
    }

    func event(_ messageId: String, source: Int64, receivedAt: Int64, writeKey: String) async throws -> StoredRow? {
        var query = ClickHouseQuery()
        let conditions = [
            "day = \(query.value(Day(milliseconds: receivedAt).number))", "kind = \(RowIdentity.Kind.event.rawValue)",
            "slot = \(query.value(ClickHouseTable.slot(receivedAt)))", "source = \(query.value(source))",
            "key IN \(query.list([MessageKey(.event, messageId)]))", "receivedAt = \(query.value(receivedAt))",
        ]
        query.text = "SELECT \(FoundRow.columns) FROM \(rows) WHERE \(conditions.joined(separator: " AND "))"
        var answer = try await client.read(query)
        guard !answer.isAtEnd else { return nil }
        let row = try FoundRow(&answer)
        return try row.row([source: writeKey], trace: try await traces(of: [row])[row.traceIdentity])
    }

    func places(of messageId: String, sources: Set<Int64>) async throws -> [Int64: MessageLocation]? {
        var query = ClickHouseQuery()
        let conditions = [
            "kind = \(RowIdentity.Kind.event.rawValue)", "key IN \(query.list([MessageKey(.event, messageId)]))",
        ]
        query.text = "SELECT source, day, receivedAt FROM \(rows) WHERE \(conditions.joined(separator: " AND "))"
        var answer = try await client.read(query)
        var places: [Int64: MessageLocation] = [:]
        while !answer.isAtEnd {
            let source: Int64 = try answer.number()
            let day = Day(number: Int64(try answer.number(Int32.self)))
            let place = MessageLocation(day: day, receivedAt: try answer.number())
            // When an event was stored twice, lists show the first row.
            if sources.contains(source), place.receivedAt < places[source]?.receivedAt ?? .max {
                places[source] = place
            }
        }
        return places
    }

    func trace(_ messageId: String, source: Int64, day: Day) async throws -> IncomingTrace? {
        let identity = RowIdentity(kind: .trace, source: source, id: messageId)
        return try await traces([identity], on: [day])[identity].map { trace in
            IncomingTrace(
                messageId: messageId, isDropped: trace.isDropped, trackedAt: trace.trackedAt, body: trace.body)
        }
    }

    func backlog(of source: Int64, after number: Int64, atMost limit: Int) async throws -> EventBacklog {
        var query = ClickHouseQuery()
        let (source, number) = (query.value(source), query.value(number))
        query.text = """
            SELECT count(), min(receivedAt) FROM (
                SELECT receivedAt FROM \(rows)
                WHERE kind = \(RowIdentity.Kind.event.rawValue) AND source = \(source) AND number > \(number)
                ORDER BY number LIMIT \(limit))
            """
        var answer = try await client.read(query)
        let count = Int(clamping: try answer.number(UInt64.self))
        let oldest: Int64 = try answer.number()
        return EventBacklog(count: count, oldest: count > 0 ? oldest : nil)
    }

    // MARK: Finding

    private func found(_ query: RowQuery) async throws -> [FoundRow] {
        var statement = ClickHouseQuery()
        let filter = filter(query, &statement)
        let order = query.order == .ascending ? "ASC" : "DESC"
        statement.text = """
            SELECT \(FoundRow.columns) FROM \(rows) WHERE \(filter) ORDER BY number \(order) LIMIT \(query.limit)
            """
        var answer = try await client.read(statement)
        var found: [FoundRow] = []
        while !answer.isAtEnd { found.append(try FoundRow(&answer)) }
        return found
    }

    private func filter(_ query: RowQuery, _ statement: inout ClickHouseQuery) -> String {
        let kinds = query.list.kinds.map { String($0.rawValue) }.joined(separator: ", ")
        var conditions = ["kind IN (\(kinds))"]
        if query.list == .drops { conditions.append("dropped = 1") }
        func add(_ column: String, _ comparison: String, _ number: Int64?) {
            guard let number else { return }
            conditions.append("\(column) \(comparison) \(statement.value(number))")
        }
        add("number", ">", query.after)
        add("number", "<", query.before)
        add("source", "=", query.source)
        if let sources = query.sources {
            conditions.append(sources.isEmpty ? "0" : "source IN \(statement.list(sources.sorted()))")
        }
        add("receivedAt", ">=", query.since)
        add("receivedAt", "<", query.until)
        add("timestamp", ">=", query.happened?.lowerBound)
        add("timestamp", "<", query.happened?.upperBound)
        // Traces lie with their events, which may have come at another time.
        if !query.list.kinds.contains(.trace) {
            add("day", ">=", query.since.map { Day(milliseconds: $0).number })
            add("day", "<=", query.until.map { Day(milliseconds: $0).number })
            add("slot", ">=", query.since.map(ClickHouseTable.slot))
            add("slot", "<=", query.until.map(ClickHouseTable.slot))
        }
        if let numbers = query.numbers { conditions.append("number IN \(statement.list(numbers))") }
        for match in query.matches {
            conditions.append("\(match.column.rawValue) = \(statement.value(match.value))")
        }
        return conditions.joined(separator: " AND ")
    }

    /// A trace as the store returns it.
    struct FoundTrace {
        let isDropped: Bool
        let trackedAt: Int64
        let body: [UInt8]
    }

    /// The traces that lie beside events.
    private func traces(of events: [FoundRow]) async throws -> [RowIdentity: FoundTrace] {
        guard !events.isEmpty else { return [:] }
        return try await traces(events.map(\.traceIdentity), on: Set(events.map { Day(milliseconds: $0.receivedAt) }))
    }

    private func traces(_ identities: [RowIdentity], on days: Set<Day>) async throws -> [RowIdentity: FoundTrace] {
        var query = ClickHouseQuery()
        let conditions = [
            "kind = \(RowIdentity.Kind.trace.rawValue)", "slot = 0", "day IN \(query.list(days))",
            "source IN \(query.list(Array(Set(identities.map(\.source)))))",
            "key IN \(query.list(identities.map(\.key)))",
        ]
        query.text = """
            SELECT kind, source, key, dropped, trackedAt, body FROM \(rows) WHERE \(conditions.joined(separator: " AND "))
            """
        var answer = try await client.read(query)
        var traces: [RowIdentity: FoundTrace] = [:]
        while !answer.isAtEnd {
            let identity = try answer.identity()
            let (isDropped, trackedAt) = (try answer.number(UInt8.self) == 1, try answer.number(Int64.self))
            traces[identity] = FoundTrace(isDropped: isDropped, trackedAt: trackedAt, body: try answer.bytes())
        }
        return traces
    }
}

extension RowQuery.List {
    /// The kinds of rows that are listed.
    fileprivate var kinds: [RowIdentity.Kind] {
        switch self {
        case .events, .bodies: [.event]
        case .drops: [.trace]
        case .signals: [.signal]
        case .rejected: [.rejected]
        case .stream: [.event, .trace, .signal]
        }
    }
}
