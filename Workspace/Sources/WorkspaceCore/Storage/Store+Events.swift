package import GRDB
import TributaryJSON

extension Store {
    /// Stored events.
    package func events(_ query: EventQuery, scans: Scans = Scans()) async throws -> ListPage {
        try await page(.events, query, scans: scans)
    }

    /// A page of a list: events, traces of events that were dropped on the device, signals, or rejected events with the
    /// reasons.
    /// - Parameter scans: limits searches, for a query with conditions.
    package func page(
        _ list: RowQuery.List, _ query: EventQuery, scans: Scans = Scans()
    ) async throws -> ListPage {
        let rows = try await rowQuery(query, list)
        let hiding = try await hiding(list)
        guard !query.conditions.isEmpty else { return try await page(query, rows).hiding(hiding) }
        return try await page(query, looking: rows, scans, hiding).hiding(hiding)
    }

    /// Only of events is it known what of them is personal.
    private func hiding(_ list: RowQuery.List) async throws -> PersonalDataMask? {
        guard let hiding = try await hiding() else { return nil }
        guard list == .events else { throw Refusal.personalData }
        return hiding
    }

    /// The stored event of that message id; the newest when several sources have it.
    package func event(messageId: String) async throws -> [UInt8]? {
        let (writeKeys, hiding) = (try await seenWriteKeys(), try await hiding())
        var newest: StoredRow?
        let places =
            try await storage.places(of: messageId, sources: Set(writeKeys.keys))
            ?? messages.events(messageId, of: writeKeys.keys)
        for (source, place) in places {
            let row = try await storage.event(
                messageId, source: source, receivedAt: place.receivedAt, writeKey: writeKeys[source] ?? "")
            if let row, row.sequence > newest?.sequence ?? .min { newest = row }
        }
        return newest.map { hiding?.hidden(row: $0.text) ?? $0.text }
    }

    /// The newest events of a source, newest first, as they were sent.
    /// - Parameters:
    ///   - matches: only events with these values.
    ///   - take: gets some after the other; false ends it.
    package func forEachEvents(
        writeKey: String, newest count: Int, matching matches: [EventQuery.Match] = [],
        _ take: ([StoredRow]) async throws -> Bool
    ) async throws {
        guard Administrator.current.sight.personalData == .shown else { throw Refusal.personalData }
        let source = EventQuery.Match(column: .writeKey, value: writeKey)
        var query = try await rowQuery(EventQuery(matches: [source] + matches), .bodies)
        var left = count
        while left > 0 {
            query.limit = min(left, Limits.rowsInScanStep)
            let rows = try await storage.rows(query)
            guard try await take(rows) else { return }
            guard rows.count == query.limit, let last = rows.last else { return }
            left -= rows.count
            query.before = last.sequence
        }
    }

    /// How sources are called.
    package static func writeKeys(_ db: Database) throws -> [Int64: String] {
        let rows = try Row.fetchAll(db, sql: "SELECT id, writeKey FROM source")
        return Dictionary(
            try rows.map { (try $0.decode(Int64.self, atIndex: 0), try $0.decode(String.self, atIndex: 1)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Makes sure that the source that a query names is there, before a long answer begins.
    package func checkSource(of query: EventQuery) async throws { _ = try await rowQuery(query, .events) }

    /// The refusal of a question about a source that is not there. An empty answer would hide a misspelt key.
    func noSource(named writeKey: String) async throws -> Refusal {
        let owner = try await pool.read { db in
            try String.fetchOne(
                db,
                sql: "SELECT writeKey FROM source WHERE id = (SELECT source FROM sourceKey WHERE key = ?)",
                arguments: [writeKey])
        }
        guard let owner, try await seenWriteKeys().values.contains(owner) else {
            return .invalid("there is no source with the write key \(writeKey)")
        }
        return .invalid(
            "\(writeKey) is a key of the source \(owner); name a source by the key that it was made with, \(owner)")
    }

    /// The query to the storage.
    /// - Throws: `Refusal` when the query names a source that is not there.
    package func rowQuery(_ query: EventQuery, _ list: RowQuery.List) async throws -> RowQuery {
        var rows = RowQuery(list)
        let sight = Administrator.current.sight
        (rows.writeKeys, rows.sources) = (try await seenWriteKeys(), sight.sources)
        if sight.personalData == .hidden,
            query.matches.contains(where: { [.userId, .anonymousId].contains($0.column) })
        {
            throw Refusal.personalData
        }
        (rows.after, rows.before, rows.order, rows.limit) = (query.after, query.before, query.order, query.limit)
        (rows.since, rows.until) = (query.since, query.until)
        if query.order == .ascending, let confirmed = await storage.confirmed() {
            // Rows with numbers above this one are not complete yet.
            rows.before = min(rows.before ?? .max, confirmed + 1)
        }
        for match in query.matches {
            guard match.column == .writeKey else {
                rows.matches.append(match)
                continue
            }
            guard let source = rows.writeKeys.first(where: { $0.value == match.value })?.key else {
                throw try await noSource(named: match.value)
            }
            rows.source = source
        }
        return rows
    }

    /// One row more than asked for tells whether there is a next page.
    private func page(_ query: EventQuery, _ rows: RowQuery) async throws -> ListPage {
        var rows = rows
        rows.limit += 1
        let found = try await storage.rows(rows)
        let shown = found.prefix(query.limit)
        return ListPage(rows: shown.map(\.text), next: found.count > shown.count ? shown.last?.sequence : nil)
    }

    /// Looks at what the rows say. No more than a bounded number of them is looked at for one page, so that a condition
    /// that nothing fulfils costs as little as any; the page then says where to go on, with few rows or none.
    private func page(
        _ query: EventQuery, looking rows: RowQuery, _ scans: Scans, _ hiding: PersonalDataMask?
    ) async throws -> ListPage {
        var bodies = rows.list == .events ? rows.bodies : rows
        bodies.limit = Limits.rowsInScanStep
        let (numbers, search, isEnd) = try await matches(query, bodies, scans, hiding)
        var page = ListPage(rows: try await texts(of: numbers, rows), next: isEnd ? nil : search.last)
        page.search = search
        guard let next = page.next else { return page }
        if rows.order == .ascending { bodies.after = next } else { bodies.before = next }
        page.search?.left = try await storage.most(bodies)
        return page
    }

    /// The numbers of the rows that fulfil the conditions, how far the search came, and whether that was the end.
    private func matches(
        _ query: EventQuery, _ rows: RowQuery, _ scans: Scans, _ hiding: PersonalDataMask?
    ) async throws -> (numbers: [Int64], search: ListPage.Search, isEnd: Bool) {
        var (rows, numbers, search) = (rows, [Int64](), ListPage.Search())
        while search.looked < Limits.rowsLookedAt {
            let found = try await storage.rows(rows)
            let holds = try await scans.look(at: found.count) {
                try found.map { try $0.fulfils(query.conditions, hiding) }
            }
            for (row, holds) in zip(found, holds) {
                guard numbers.count < query.limit else { return (numbers, search, false) }
                if holds { numbers.append(row.sequence) }
                search.last = row.sequence
                search.looked += 1
            }
            guard found.count == rows.limit, let last = found.last else { return (numbers, search, true) }
            if rows.order == .ascending { rows.after = last.sequence } else { rows.before = last.sequence }
        }
        return (numbers, search, false)
    }

    /// The texts of rows that were found; one that was erased in between has none.
    private func texts(of numbers: [Int64], _ rows: RowQuery) async throws -> [[UInt8]] {
        guard let first = numbers.min(), let last = numbers.max() else { return [] }
        var rows = rows
        (rows.after, rows.before, rows.limit, rows.numbers) = (first - 1, last + 1, numbers.count, numbers)
        return try await storage.rows(rows).map(\.text)
    }
}

extension StoredRow {
    /// - Throws: `JSONError` when an event cannot be read as it was stored. A rejected one may be anything, and fulfils
    ///   nothing then.
    fileprivate func fulfils(_ conditions: [JSONCondition], _ hiding: PersonalDataMask?) throws(JSONError) -> Bool {
        // A condition gets the event as its author sees it. Otherwise the count would reveal hidden values.
        let body = hiding?.hidden(event: body) ?? body
        do {
            for condition in conditions {
                let holds = try body.withUnsafeBufferPointer { event throws(JSONError) in try condition.holds(event) }
                if !holds { return false }
            }
            return true
        } catch {
            guard kind == .rejected else { throw error }
            return false
        }
    }
}

extension ListPage {
    fileprivate func hiding(_ personalData: PersonalDataMask?) -> ListPage {
        guard let personalData else { return self }
        var page = self
        page.rows = rows.map(personalData.hidden(row:))
        return page
    }
}
