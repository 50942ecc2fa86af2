import TributaryJSON
import WorkspaceCore

/// The statements of a warehouse, over one connection. Its calls block; one thread uses it at a time.
final class PostgresSession {
    private let place: PostgresPlace
    private let connection: PostgresConnection
    private var tables = WarehouseTables()

    var isOpen: Bool { connection.isOpen }
    /// Ends the calls from now on.
    var stop: StopSignal {
        get { connection.stop }
        set { connection.stop = newValue }
    }

    init(_ place: PostgresPlace, stop: StopSignal) throws(PostgresError) {
        self.place = place
        connection = try PostgresConnection(place.parameters, seconds: place.seconds + 5, stop: stop)
        let encoding = try connection.run("SHOW server_encoding").first?.first ?? nil
        guard encoding == "UTF8" else {
            throw PostgresError("the database has the encoding \(encoding ?? "?"); a warehouse needs UTF8")
        }
    }

    func close() { connection.close() }

    // MARK: Position

    /// Makes schema and table of positions if needed, and reads the tables and the position.
    /// - Parameter local: the position of a destination that is new to this database.
    func prepare(local: Int64) throws(PostgresError) -> WarehousePosition {
        try makeSchema()
        try transaction { () throws(PostgresError) in
            try connection.run(
                """
                CREATE TABLE IF NOT EXISTS \(positions) (
                    source text, destination text, made_at bigint, position bigint NOT NULL, last_sequence bigint NOT NULL,
                    last_id text NOT NULL, deletions bigint NOT NULL, updated_at timestamptz NOT NULL,
                    PRIMARY KEY (source, destination, made_at))
                """)
            try connection.run(
                """
                INSERT INTO \(positions) VALUES ($1, $2, $3::bigint, $4::bigint, 0, '', 0, now()) ON CONFLICT DO NOTHING
                """, key + [String(local)])
        }
        tables.schema = try readSchema()
        return try position()
    }

    func position(_ lock: String = "") throws(PostgresError) -> WarehousePosition {
        let rows = try connection.run(
            """
            SELECT position, last_sequence, last_id, deletions FROM \(positions)
            WHERE source = $1 AND destination = $2 AND made_at = $3::bigint \(lock)
            """, key)
        guard let row = rows.first, let position = row[0].flatMap(Int64.init),
            let sequence = row[1].flatMap(Int64.init),
            let id = row[2], let deletions = row[3].flatMap(Int64.init)
        else { throw PostgresError("the table of positions has no row of this destination", state: "42P01") }
        return WarehousePosition(position: position, lastSequence: sequence, lastId: id, deletions: deletions)
    }

    private var positions: String { place.table(WarehouseTable.positions) }
    private var key: [String?] { [place.key.source, place.key.destination, String(place.key.madeAt)] }

    // MARK: Loading

    /// Loads events and moves the position, in one transaction.
    /// - Returns: false when the position is another one.
    func load(
        _ events: [[UInt8]], from expected: WarehousePosition, to next: WarehousePosition
    ) throws(PostgresError) -> Bool {
        let batch = try tables.batch(events, failing: PostgresError.self)
        var isAsExpected = false
        var changed = tables
        try transaction { () throws(PostgresError) in
            isAsExpected = try position("FOR UPDATE") == expected
            guard isAsExpected else { return }
            var known: Set<String> = []
            for table in batch.tables { known.formUnion(try put(batch, table, &changed)) }
            try putPeople(batch, known, &changed)
            try connection.run(
                """
                UPDATE \(positions) SET position = $4::bigint, last_sequence = $5::bigint, last_id = $6, updated_at = now()
                WHERE source = $1 AND destination = $2 AND made_at = $3::bigint
                """, key + [String(next.position), String(next.lastSequence), next.lastId])
        }
        tables = changed
        return isAsExpected
    }

    /// - Returns: the ids of rows that were there already.
    private func put(
        _ batch: WarehouseBatch, _ table: String, _ tables: inout WarehouseTables
    ) throws(PostgresError) -> Set<String> {
        var load = batch.load(of: table, tables.schema)
        // The rows have other places when a column keeps its type.
        if try !change(load, &tables) { load = batch.load(of: table, tables.schema) }
        if load.table == WarehouseTable.users {
            try merge(load, update: Self.latest(load))
            return []
        }
        if try copy(load) { return [] }
        return Set(load.ids).subtracting(try merge(load, update: "NOTHING", returning: "id"))
    }

    /// A user's row has the latest traits. A trait that an event does not name stays.
    private static func latest(_ load: WarehouseLoad) -> String {
        let sets = load.columns.map(\.name).filter { $0 != "id" }.map(PostgresText.name).map { name in
            "\(name) = CASE WHEN old.received_at > excluded.received_at THEN coalesce(old.\(name), excluded.\(name)) "
                + "ELSE coalesce(excluded.\(name), old.\(name)) END"
        }
        return "UPDATE SET " + sets.joined(separator: ", ")
    }

    /// Notes the users of devices, and sessions.
    private func putPeople(
        _ batch: WarehouseBatch, _ known: Set<String>, _ tables: inout WarehouseTables
    ) throws(PostgresError) {
        let identities = batch.identityLoad
        if !identities.rows.isEmpty {
            _ = try change(identities, &tables)
            try merge(
                identities,
                update: """
                    UPDATE SET first_seen_at = least(old.first_seen_at, excluded.first_seen_at),
                        last_seen_at = greatest(old.last_seen_at, excluded.last_seen_at)
                    """)
        }
        let sessions = batch.sessionLoad { !known.contains($0.id) }
        if !sessions.rows.isEmpty {
            _ = try change(sessions, &tables)
            try merge(
                sessions,
                update: """
                    UPDATE SET user_id = coalesce(excluded.user_id, old.user_id),
                        started_at = least(old.started_at, excluded.started_at),
                        ended_at = greatest(old.ended_at, excluded.ended_at), events = old.events + excluded.events
                    """)
        }
    }

    /// Copies rows into their table; false when one of them is there.
    private func copy(_ load: WarehouseLoad) throws(PostgresError) -> Bool {
        let columns = PostgresText.names(load.columns.map(\.name))
        let bytes = PostgresText.copyText(load.rows)
        return try savepoint(unless: .hasRow) { () throws(PostgresError) in
            try connection.copy("COPY \(place.table(load.table)) (\(columns)) FROM STDIN", bytes)
        }
    }

    /// Adds rows that are not there, and changes the others.
    /// - Returns: the values of that column in the rows that are new or changed.
    @discardableResult
    private func merge(
        _ load: WarehouseLoad, update: String, returning: String? = nil
    ) throws(PostgresError) -> Set<String> {
        let columns = PostgresText.names(load.columns.map(\.name))
        let arrays = load.columns.indices.map { index in PostgresText.array(load.rows.map { $0[index] }) }
        let types = load.columns.enumerated().map { "$\($0 + 1)::\($1.type.rawValue)[]" }.joined(separator: ", ")
        let rows = try connection.run(
            """
            INSERT INTO \(place.table(load.table)) AS old (\(columns)) SELECT * FROM unnest(\(types))
            ON CONFLICT (\(PostgresText.names(WarehouseTable.key(of: load.table)))) DO \(update)
            \(returning.map { "RETURNING \(PostgresText.name($0))" } ?? "")
            """, arrays)
        return Set(rows.compactMap { $0.first ?? nil })
    }

    // MARK: Tables

    /// Makes a table as its rows need it.
    /// - Returns: false when a column keeps its type, because a view needs it.
    private func change(_ load: WarehouseLoad, _ tables: inout WarehouseTables) throws(PostgresError) -> Bool {
        var isDone = true
        for change in tables.changes(for: load) {
            guard case .widen(let table, let column, _, _) = change else {
                try connection.run(sql(change))
                tables.schema.apply(change)
                continue
            }
            if try savepoint(unless: .fixedColumn, { () throws(PostgresError) in try connection.run(sql(change)) }) {
                tables.schema.apply(change)
            } else {
                tables.schema.fix(column, of: table)
                isDone = false
            }
        }
        return isDone
    }

    private func sql(_ change: WarehouseSchema.Change) -> String {
        switch change {
        case .make(let table, let columns):
            let known = WarehouseTable.columns(of: table).map(\.name)
            let names = known + columns.keys.filter { !known.contains($0) }.sorted()
            let key = WarehouseTable.key(of: table)
            let list = names.map { name in
                let isKey = key.contains(name) ? " NOT NULL" : ""
                return "\(PostgresText.name(name)) \((columns[name] ?? .text).rawValue)\(isKey)"
            }
            return """
                CREATE TABLE IF NOT EXISTS \(place.table(table)) (\(list.joined(separator: ", ")),
                PRIMARY KEY (\(PostgresText.names(key))))
                """
        case .add(let table, let column, let type):
            return "ALTER TABLE \(place.table(table)) ADD COLUMN \(PostgresText.name(column)) \(type.rawValue)"
        case .widen(let table, let column, let old, let type):
            let name = PostgresText.name(column)
            // As events write times, and not as the time zone of the connection would have it.
            let value =
                old == .timestamp
                ? "to_char(\(name) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
                : "\(name)::\(type.rawValue)"
            return "ALTER TABLE \(place.table(table)) ALTER COLUMN \(name) TYPE \(type.rawValue) USING \(value)"
        }
    }

    private func makeSchema() throws(PostgresError) {
        // Asked for first, since making it needs a right even where it exists.
        let known = try connection.run("SELECT 1 FROM pg_namespace WHERE nspname = $1", [place.schema])
        if known.isEmpty { try connection.run("CREATE SCHEMA IF NOT EXISTS \(PostgresText.name(place.schema))") }
    }

    private func readSchema() throws(PostgresError) -> WarehouseSchema {
        let rows = try connection.run(
            """
            SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')
            """, [place.schema])
        var tables: [String: [String: WarehouseSchema.Column]] = [:]
        for row in rows {
            guard let table = row[0], let column = row[1], let text = row[2] else { continue }
            let name = text == "character varying" ? "text" : text
            let type = WarehouseType(rawValue: name)
            let isOwn = type != .json || column == WarehouseTable.extra
            tables[table, default: [:]][column] = WarehouseSchema.Column(type: isOwn ? type : nil)
        }
        return WarehouseSchema(tables: tables)
    }

    // MARK: Users

    /// Deletes all rows of a user, and those of devices that only this user had.
    /// - Returns: how many rows there were.
    func delete(userId: String, anonymousIds: [String]) throws(PostgresError) -> Int {
        tables.schema = try readSchema()
        // Nothing was loaded yet.
        guard tables.schema.has(WarehouseTable.positions) else { return 0 }
        var count = 0
        try transaction { () throws(PostgresError) in
            // Loads wait for their rows, and notice the deletion.
            try connection.run("UPDATE \(positions) SET deletions = deletions + 1")
            for (table, columns) in tables.schema.tables.sorted(by: { $0.key < $1.key })
            where Self.isOwn(table, columns) {
                count += try delete(table, columns, userId, anonymousIds)
            }
        }
        return count
    }

    private static func isOwn(_ table: String, _ columns: [String: WarehouseSchema.Column]) -> Bool {
        columns[WarehouseTable.extra] != nil || table == WarehouseTable.identities || table == WarehouseTable.sessions
    }

    private func delete(
        _ table: String, _ columns: [String: WarehouseSchema.Column], _ userId: String, _ anonymousIds: [String]
    ) throws(PostgresError) -> Int {
        let user = table == WarehouseTable.users ? "id" : "user_id"
        guard columns[user] != nil else { return 0 }
        var condition = "\(user) IN ($1, $2)"
        var parameters: [String?] = [userId, WarehouseLayout.key(userId)]
        if columns["anonymous_id"] != nil, table != WarehouseTable.identities {
            condition += " OR user_id IS NULL AND anonymous_id = ANY($3::text[])"
            parameters.append(PostgresText.array(anonymousIds + anonymousIds.map(WarehouseLayout.key)))
        }
        let rows = try connection.run(
            """
            WITH gone AS (DELETE FROM \(place.table(table)) WHERE \(condition) RETURNING 1) SELECT count(*) FROM gone
            """, parameters)
        return rows.first?[0].flatMap(Int.init) ?? 0
    }

    // MARK: Trying out

    /// Makes, fills and drops a table, which needs the same rights as loading.
    func test() throws(PostgresError) -> String {
        try makeSchema()
        let table = place.table("_tributary_test")
        try transaction { () throws(PostgresError) in
            try connection.run("CREATE TABLE \(table) (id text PRIMARY KEY)")
            try connection.copy("COPY \(table) FROM STDIN", Array("test\n".utf8))
            try connection.run("DROP TABLE \(table)")
        }
        return try connection.run("SHOW server_version").first?[0] ?? "?"
    }

    // MARK: Transactions

    private func transaction(_ body: () throws(PostgresError) -> Void) throws(PostgresError) {
        // In each transaction, because a pooler may give each another connection of its own.
        try connection.run("BEGIN")
        do throws(PostgresError) {
            try connection.run(
                """
                SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $1, true),
                    set_config('idle_in_transaction_session_timeout', $2, true), set_config('timezone', 'UTC', true),
                    set_config('synchronous_commit', 'on', true)
                """, ["\(place.seconds)s", "\(place.seconds * 2)s"])
            try body()
            try connection.run("COMMIT")
        } catch {
            rollBack()
            throw error
        }
    }

    /// The next transaction needs another connection when this fails.
    private func rollBack() {
        guard connection.isOpen else { return }
        do throws(PostgresError) {
            try connection.run("ROLLBACK")
        } catch {
            connection.close()
        }
    }

    /// - Returns: false when it failed for that reason, and then nothing of it was done.
    private func savepoint(
        unless meaning: WarehouseErrorMeaning, _ body: () throws(PostgresError) -> Void
    ) throws(PostgresError) -> Bool {
        try connection.run("SAVEPOINT part")
        do throws(PostgresError) {
            try body()
        } catch {
            guard error.meaning == meaning else { throw error }
            try connection.run("ROLLBACK TO SAVEPOINT part")
            return false
        }
        try connection.run("RELEASE SAVEPOINT part")
        return true
    }
}
