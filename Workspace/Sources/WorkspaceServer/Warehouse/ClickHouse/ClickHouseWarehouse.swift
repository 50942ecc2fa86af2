import AsyncHTTPClient
import Crypto
import Foundation
import Synchronization
import TributaryJSON
import WorkspaceCore

/// A warehouse in a ClickHouse server.
///
/// The server has no transactions, so rows come into their tables one table after the other, and the position comes last. A
/// load first asks which of its rows are there, and inserts the others. So a load that was cut off at any point is completed
/// by the next one. An insert that still runs when a server has died is waited for.
actor ClickHouseWarehouse: Warehouse {
    nonisolated let place: ClickHousePlace
    private nonisolated let connection: ClickHouseConnection
    private nonisolated let statements: ClickHouseTables
    /// Loads and deletions of one database by this server follow one another.
    private nonisolated let turns: Turns
    private var tables = WarehouseTables(times: .from1900To2299)
    /// The types of columns, as the server names them.
    private var types: [String: [String: String]] = [:]
    private var version = ClickHouseVersion.oldest
    /// Whether an insert may be running that nothing waits for any more.
    private var mayRun = true
    /// Whether tables changed after the views were made.
    private var hasOldViews = true

    init(_ place: ClickHousePlace, client: HTTPClient) {
        (self.place, connection) = (place, ClickHouseConnection(place, client: client))
        (statements, turns) = (ClickHouseTables(place: place), Self.turns(of: place))
    }

    private static let shared = Mutex<[String: Turns]>([:])

    private static func turns(of place: ClickHousePlace) -> Turns {
        shared.withLock { shared in
            let name = "\(place.address.origin) \(place.database)"
            let turns = shared[name] ?? Turns()
            shared[name] = turns
            return turns
        }
    }

    /// Connections belong to the client of all destinations.
    nonisolated func close() {}

    // MARK: Position

    func open(local: Int64) async throws -> WarehousePosition {
        try await turns.run {
            try await checkVersion()
            try await makeDatabase()
            try await connection.run(statements.creationOfPositions)
            try await readSchema()
            (mayRun, hasOldViews) = (true, true)
            if let known = try await position() { return known.position }
            let first = WarehousePosition(position: local, lastSequence: 0, lastId: "", deletions: 0)
            try await put(first, generation: 1)
            return first
        }
    }

    private func checkVersion() async throws {
        let text = try await connection.version()
        guard let found = ClickHouseVersion(text) else {
            throw ClickHouseFailure("what answers is no ClickHouse")
        }
        guard found >= .oldest else {
            throw ClickHouseFailure(
                "the server is ClickHouse \(text); a warehouse needs version \(ClickHouseVersion.oldest) or later")
        }
        version = found
    }

    private func makeDatabase() async throws {
        // Asked for first, since making it needs a right even where it exists.
        let database = ClickHouseText.value(place.database)
        let known = try await connection.rows("SELECT 1 FROM system.databases WHERE name = \(database)")
        if known.isEmpty {
            try await connection.run("CREATE DATABASE IF NOT EXISTS \(ClickHouseText.name(place.database))")
        }
    }

    private func readSchema() async throws {
        let database = ClickHouseText.value(place.database)
        let rows = try await connection.rows(
            """
            SELECT table, name, type FROM system.columns WHERE database = \(database) AND table IN
                (SELECT name FROM system.tables WHERE database = \(database) AND engine LIKE '%MergeTree')
            """)
        var columns: [String: [String: WarehouseSchema.Column]] = [:]
        var types: [String: [String: String]] = [:]
        for row in rows {
            guard row.count == 3, let table = row[0], let column = row[1], let type = row[2] else { continue }
            types[table, default: [:]][column] = type
            columns[table, default: [:]][column] = .init(type: ClickHouseTypes.type(type, of: column))
        }
        (tables.schema, self.types) = (WarehouseSchema(tables: columns), types)
    }

    private var key: String {
        """
        source = \(ClickHouseText.value(place.key.source)) AND destination = \(ClickHouseText.value(place.key.destination))
        AND made_at = \(place.key.madeAt)
        """
    }

    private func position() async throws -> (position: WarehousePosition, generation: Int64)? {
        let rows = try await connection.rows(
            """
            SELECT position, last_sequence, last_id, deletions, generation FROM \(statements.positions) WHERE \(key)
            ORDER BY generation DESC LIMIT 1
            """)
        guard let row = rows.first, row.count == 5 else { return nil }
        let numbers = [0, 1, 3, 4].compactMap { row[$0].flatMap { Int64($0) } }
        guard numbers.count == 4, let id = row[2] else {
            throw ClickHouseFailure("the table of positions has a row that cannot be read")
        }
        return (
            WarehousePosition(position: numbers[0], lastSequence: numbers[1], lastId: id, deletions: numbers[2]),
            numbers[3]
        )
    }

    private func put(_ position: WarehousePosition, generation: Int64) async throws {
        let key = ClickHouseText.values([place.key.source, place.key.destination])
        try await connection.run(
            """
            INSERT INTO \(statements.positions) SELECT \(key), \(place.key.madeAt), \(generation), \(position.position),
            \(position.lastSequence), \(ClickHouseText.value(position.lastId)), \(position.deletions), now64(3)
            """, ["async_insert": "0"])
    }

    // MARK: Loading

    func load(
        _ events: [[UInt8]], from expected: WarehousePosition, to next: WarehousePosition
    ) async throws -> Bool {
        try await turns.run {
            try Task.checkCancellation()
            if mayRun { try await waitForInserts() }
            guard let known = try await position(), known.position == expected else { return false }
            mayRun = true
            let loads = try await prepare(events)
            let there = try await ids(loads)
            for load in loads { try await insert(load, without: there[load.table] ?? []) }
            try await put(next, generation: known.generation + 1)
            mayRun = false
            return true
        }
    }

    /// Makes the tables as the rows of events need them.
    /// - Returns: the rows: first those of the tables of events, because the others say that an event is there.
    private func prepare(_ events: [[UInt8]]) async throws -> [WarehouseLoad] {
        let batch = try tables.batch(events, failing: ClickHouseFailure.self)
        let own = batch.tables.filter { $0 != WarehouseTable.users }
        let order = own.filter { !WarehouseTable.names.contains($0) } + own.filter(WarehouseTable.names.contains)
        var loads: [WarehouseLoad] = []
        for table in order {
            let load = batch.load(of: table, tables.schema)
            // The rows have other places when a column keeps its type.
            loads.append(try await change(load) ? load : batch.load(of: table, tables.schema))
        }
        guard hasOldViews else { return loads }
        let views = ClickHouseViews(place: place, schema: tables.schema).statements
        for (_, statement) in views.sorted(by: { $0.key < $1.key }) { try await connection.run(statement) }
        hasOldViews = false
        return loads
    }

    /// Makes a table as its rows need it.
    /// - Returns: false when a column keeps its type, because something needs it.
    private func change(_ load: WarehouseLoad) async throws -> Bool {
        let changes = tables.changes(for: load)
        guard !changes.isEmpty else { return true }
        hasOldViews = hasOldViews || WarehouseTable.names.contains(load.table)
        for statement in statements.statements(changes) { try await connection.run(statement) }
        let widened = changes.filter(\.isWidening)
        for change in changes where !change.isWidening { apply(change) }
        if try await widen(widened) { return true }
        // One of them keeps its type.
        for change in widened where try await !widen([change]) {
            if case .widen(let table, let column, _, _) = change { tables.schema.fix(column, of: table) }
        }
        return false
    }

    /// - Returns: false when something needs a column as it is, and then nothing is changed.
    private func widen(_ changes: [WarehouseSchema.Change]) async throws -> Bool {
        do {
            for statement in statements.widening(changes) {
                try await connection.run(statement, ["mutations_sync": "1"])
            }
        } catch let error as ClickHouseFailure where error.meaning == .fixedColumn {
            return false
        }
        for change in changes { apply(change) }
        return true
    }

    private func apply(_ change: WarehouseSchema.Change) {
        tables.schema.apply(change)
        switch change {
        case .make(let table, let columns):
            for (name, type) in columns { types[table, default: [:]][name] = ClickHouseTypes.name(type, of: name) }
        case .add(let table, let column, let type), .widen(let table, let column, _, let type):
            types[table, default: [:]][column] = ClickHouseTypes.name(type, of: column)
        }
    }

    /// The ids of rows that are there already, by their tables.
    private func ids(_ loads: [WarehouseLoad]) async throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        let questions = loads.flatMap(questions)
        for start in stride(from: 0, to: questions.count, by: Limits.warehouseQuestions) {
            let part = questions[start..<min(start + Limits.warehouseQuestions, questions.count)]
            for row in try await connection.rows(part.joined(separator: " UNION ALL ")) {
                guard row.count == 2, let table = row[0], let id = row[1] else { continue }
                found[table, default: []].insert(id)
            }
        }
        return found
    }

    /// Asks for the rows of a time, in which the ids are few. Tables are ordered by it.
    private func questions(_ load: WarehouseLoad) -> [String] {
        let index = load.columns.firstIndex { $0.name == "received_at" }
        let times = load.rows.map { row in index.flatMap { row[$0] }.flatMap { ISO8601.milliseconds($0) } ?? 0 }
        guard let first = times.min(), let last = times.max() else { return [] }
        let ids = load.ids
        return stride(from: 0, to: ids.count, by: Limits.warehouseRows).map { start in
            """
            SELECT \(ClickHouseText.value(load.table)) AS t, id FROM \(place.table(load.table))
            WHERE received_at >= \(ClickHouseText.time(first)) AND received_at < \(ClickHouseText.time(last + 1))
            AND id IN (\(ClickHouseText.values(ids[start..<min(start + Limits.warehouseRows, ids.count)])))
            """
        }
    }

    private func insert(_ load: WarehouseLoad, without known: Set<String>) async throws {
        guard let index = load.columns.firstIndex(where: { $0.name == "id" }) else { return }
        let rows = known.isEmpty ? load.rows : load.rows.filter { !known.contains($0[index] ?? "") }
        guard !rows.isEmpty else { return }
        let types = load.columns.map { self.types[load.table]?[$0.name] ?? ClickHouseTypes.name($0.type, of: $0.name) }
        let columns = ClickHouseText.names(load.columns.map(\.name))
        try await connection.insert(
            "INSERT INTO \(place.table(load.table)) (\(columns)) FORMAT RowBinaryWithNamesAndTypes",
            ClickHouseTypes.bytes(load, rows, types: types), id: mark + UUID().uuidString, version: version)
    }

    /// The begin of the ids of this destination's inserts.
    private nonisolated var mark: String {
        let key = "\(place.database) \(place.key.source) \(place.key.destination)"
        return "tributary-\(ClickHouseText.digest(key).prefix(16))-"
    }

    /// An insert of a server that died, or of a request that took too long, goes on without it.
    private func waitForInserts() async throws {
        let end = ContinuousClock.now + .seconds(place.seconds)
        let running = "SELECT count() FROM system.processes WHERE startsWith(query_id, \(ClickHouseText.value(mark)))"
        while true {
            do {
                guard try await connection.rows(running).first?.first != "0" else { return }
            } catch let error as ClickHouseFailure where error.code == Self.withoutRight {
                // The user may not look. Rows of an insert that still runs are there twice until the server merges them.
                return
            }
            guard ContinuousClock.now < end else {
                throw ClickHouseFailure("an earlier load still runs in the database; see system.processes")
            }
            try await Task.sleep(for: .milliseconds(Int(Limits.warehouseSliceMilliseconds)))
        }
    }

    private static let withoutRight = 497

    // MARK: Users

    func delete(userId: String, anonymousIds: [String]) async throws -> Int {
        try await turns.run {
            try await readSchema()
            // Nothing was loaded yet.
            guard tables.schema.has(WarehouseTable.positions) else { return 0 }
            try await waitForInserts()
            // Loads that have read their events already notice that these may be gone.
            try await connection.run(
                """
                INSERT INTO \(statements.positions) SELECT source, destination, made_at, generation + 1, position,
                last_sequence, last_id, deletions + 1, now64(3) FROM \(statements.positions) FINAL
                """, ["async_insert": "0"])
            var count = 0
            for (table, columns) in tables.schema.tables.sorted(by: { $0.key < $1.key })
            where columns[WarehouseTable.extra] != nil && columns["user_id"] != nil {
                count += try await delete(table, columns, userId, anonymousIds)
            }
            return count
        }
    }

    /// The server keeps the text of a deletion, so that has digests instead of ids.
    private func delete(
        _ table: String, _ columns: [String: WarehouseSchema.Column], _ userId: String, _ anonymousIds: [String]
    ) async throws -> Int {
        func digest(of column: String, isOneOf ids: [String]) -> String {
            "hex(SHA256(ifNull(\(column), ''))) IN (\(ClickHouseText.values(ids.map(ClickHouseText.digest))))"
        }
        var condition = "isNotNull(user_id) AND \(digest(of: "user_id", isOneOf: [userId]))"
        if columns["anonymous_id"] != nil, !anonymousIds.isEmpty {
            condition += """
                 OR isNull(user_id) AND isNotNull(anonymous_id) AND \(digest(of: "anonymous_id", isOneOf: anonymousIds))
                """
        }
        let rows = try await connection.rows("SELECT count() FROM \(place.table(table)) WHERE \(condition)")
        guard let count = rows.first?.first.flatMap({ $0 }).flatMap({ Int($0) }), count > 0 else { return 0 }
        try await connection.run(
            "ALTER TABLE \(place.table(table)) DELETE WHERE \(condition)", ["mutations_sync": "2"])
        return count
    }

    // MARK: Trying out

    /// Makes, fills and drops a table, which needs the same rights as loading.
    func test() async throws -> String {
        try await checkVersion()
        try await makeDatabase()
        let table = place.table("_tributary_test")
        try await connection.run("CREATE TABLE IF NOT EXISTS \(table) (id String) ENGINE = MergeTree ORDER BY id")
        try await connection.run("ALTER TABLE \(table) ADD COLUMN IF NOT EXISTS test Nullable(String)")
        try await connection.run("INSERT INTO \(table) SELECT 'test', NULL", ["async_insert": "0"])
        try await connection.run("DROP TABLE \(table)")
        return "ClickHouse \(version) lets its tables be made in the database \(place.database)"
    }
}
