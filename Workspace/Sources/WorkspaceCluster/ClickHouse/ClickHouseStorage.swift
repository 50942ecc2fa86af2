import Foundation
import WorkspaceCore
import WorkspaceServer

/// Keeps events in a replicated column store.
///
/// A block is one insert of the same bytes each time, so servers store its repetition once. The same rows in blocks of
/// other sizes are merged by their identities, and every read has them merged.
final class ClickHouseStorage: EventStorage {
    let client: ClickHouseClient
    private let progress: @Sendable () async -> Int64?

    /// Makes the table on each host where it is missing, and checks a table that exists.
    ///
    /// Hosts may fail to answer as long as a quorum remains. They are prepared when they are back.
    /// - Parameter progress: the number up to which all nodes have stored their rows; nil when no node writes.
    /// - Throws: `ClickHouseError`, also when a table lacks the settings that safety needs.
    init(_ settings: ClickHouseSettings, progress: @escaping @Sendable () async -> Int64? = { nil }) async throws {
        self.progress = progress
        client = ClickHouseClient(settings)
        let end = ContinuousClock.now + .seconds(settings.patience)
        var missing = try await prepare(Array(client.hosts))
        while settings.hosts.count - missing.count < min(settings.quorum, settings.hosts.count) {
            guard ContinuousClock.now < end else {
                throw ClickHouseError.unavailable(
                    "\(missing.map { settings.hosts[$0] }.joined(separator: ", ")) do not answer")
            }
            try await Task.sleep(for: .milliseconds(200))
            missing = try await prepare(missing)
        }
        guard !missing.isEmpty else { return }
        Task { [weak self, missing] in
            var missing = missing
            while !missing.isEmpty {
                try await Task.sleep(for: .seconds(1))
                guard let self else { return }
                missing = try await self.prepare(missing)
            }
        }
    }

    /// - Returns: the hosts that do not answer.
    private func prepare(_ hosts: [Int]) async throws -> [Int] {
        var missing: [Int] = []
        for host in hosts {
            do {
                try await client.run(
                    ClickHouseQuery("CREATE DATABASE IF NOT EXISTS \(client.settings.database)"), on: host)
                let version = try await client.version(of: host)
                try await client.run(
                    ClickHouseQuery(ClickHouseTable.creation(client.settings, version: version)), on: host)
                try await check(host, version)
            } catch let error as ClickHouseError where error.isPassing {
                missing.append(host)
            }
        }
        return missing
    }

    /// Connections belong to the process.
    func close() {}

    var hasDayFiles: Bool { false }
    var people: (any PeopleStorage)? { nil }

    func confirmed() async -> Int64? { await progress() }

    /// The table with rows of the same identity merged.
    var rows: String { "\(table) FINAL" }

    /// The table with all rows that servers have.
    var table: String { "\(client.settings.database).\(ClickHouseTable.name)" }

    func highest() async throws -> RowNumbers {
        let rejected = RowIdentity.Kind.rejected.rawValue
        var answer = try await client.read(
            ClickHouseQuery(
                "SELECT maxIf(number, kind != \(rejected)), maxIf(number, kind = \(rejected)) FROM \(table)"))
        return RowNumbers(stream: try answer.number(), rejected: try answer.number())
    }

    func mayHaveTraces() async -> Bool {
        let kind = RowIdentity.Kind.trace.rawValue
        do {
            let query = ClickHouseQuery(
                "SELECT toUInt8(count() > 0) FROM (SELECT 1 FROM \(table) WHERE kind = \(kind) LIMIT 1)")
            var answer = try await client.read(query)
            return try answer.number(UInt8.self) == 1
        } catch {
            // Searching for traces in vain only costs time.
            return true
        }
    }

    func days() async throws -> [Day] {
        let query = ClickHouseQuery(
            "SELECT DISTINCT day FROM \(table) WHERE kind != \(ClickHouseTable.markerKind) ORDER BY day")
        var answer = try await client.read(query)
        var days: [Day] = []
        while !answer.isAtEnd { days.append(Day(number: Int64(try answer.number(Int32.self)))) }
        return days
    }

    /// A day needs no preparation for searches.
    func summarize() {}

    func identities(of day: Day) async throws -> [RowIdentity] {
        var query = ClickHouseQuery()
        let day = query.value(day.number)
        query.text =
            "SELECT kind, source, key FROM \(rows) WHERE day = \(day) AND kind != \(ClickHouseTable.markerKind)"
        var answer = try await client.read(query)
        var identities: [RowIdentity] = []
        while !answer.isAtEnd { identities.append(try answer.identity()) }
        return identities
    }

    /// Compares the table of a host with the settings that safety needs. An earlier version or an operator may have
    /// made it.
    private func check(_ host: Int, _ version: Int) async throws {
        var query = ClickHouseQuery()
        let (database, name) = (query.value(client.settings.database), query.value(ClickHouseTable.name))
        query.text = "SELECT engine_full FROM system.tables WHERE database = \(database) AND name = \(name)"
        var answer = try await client.read(query, from: host)
        let engine = try answer.text()
        guard engine.hasPrefix("ReplicatedReplacingMergeTree(") else {
            throw ClickHouseError.settings(
                "\(table) on \(client.settings.hosts[host]) is not a replicated table: \(engine)")
        }
        for (option, value) in ClickHouseTable.options(client.settings, version: version)
        where option.hasPrefix("replicated_") {
            let found = engine.number(after: "\(option) = ")
            guard let found, found >= value else {
                throw ClickHouseError.settings(
                    "\(table) on \(client.settings.hosts[host]) has \(option) = \(found.map(String.init) ?? "the default"); "
                        + "at least \(value) is needed, or repeated blocks are stored twice: "
                        + ClickHouseTable.change(option, to: value, of: table, version: version))
            }
        }
    }
}

extension RowBinaryReader {
    /// The columns `kind`, `source` and `key`.
    mutating func identity() throws(ClickHouseError) -> RowIdentity {
        let kind = try number(UInt8.self)
        let source = try number(Int64.self)
        let key = try fixed(16).withUnsafeBytes { MessageKey($0) }
        guard let kind = RowIdentity.Kind(rawValue: kind), let key else { throw .answer("there is no kind \(kind)") }
        return RowIdentity(kind: kind, source: source, key: key)
    }
}

extension String {
    /// The number after a prefix.
    fileprivate func number(after prefix: String) -> Int? {
        range(of: prefix).flatMap { Int(self[$0.upperBound...].prefix { $0.isNumber }) }
    }
}

extension ClickHouseStorage {
    /// All rows of a block are one insert. The server splits it into a block for each day.
    func append(_ block: EventBlock) async throws {
        guard !block.rows.isEmpty else { return }
        try await insert(block.rows.map { ClickHouseRow($0, storedAt: block.storedAt) })
    }

    func insert(_ rows: [ClickHouseRow]) async throws {
        var bytes = RowBinaryWriter()
        bytes.reserve(rows.reduce(0) { $0 + $1.body.count + 256 })
        for row in rows { row.write(to: &bytes) }
        try await client.insert(ClickHouseTable.insertion(client.settings), rows: bytes.bytes)
    }
}
