import WorkspaceCore
import WorkspaceServer

/// Waits for a replica's table before it is asked for rows, or gets some.
extension ClickHouseClient {
    /// Returns when the replica has every block that the table had at the time of the call.
    /// - Throws: `ClickHouseError.unavailable` when it lacks one for longer than a moment.
    func waitUntilNothingIsMissing(on host: Int) async throws {
        var blocks = ReplicaBlocks()
        for _ in 0..<Self.looks {
            guard var answer = try await replica(host, "replica_path, toUInt64(log_max_index), toUInt64(log_pointer)")
            else { return }
            let path = try answer.text()
            let (last, next) = (try answer.number(UInt64.self), try answer.number(UInt64.self))
            if blocks.look(last: last, next: next, fetches: try await fetches(in: path, on: host)) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw ClickHouseError.unavailable("\(settings.hosts[host]) has not fetched all blocks yet")
    }

    /// Returns when no insert into the table waits for its quorum, or after a second. A server reads all rows of an
    /// insert before it refuses them, so asking first costs less.
    func waitUntilNoInsertRuns(on host: Int) async throws {
        guard settings.quorum > 1 else { return }
        do {
            guard var answer = try await replica(host, "zookeeper_path") else { return }
            let path = try answer.text()
            for _ in 0..<Self.looks {
                guard try await runsInsert(into: path, on: host) else { return }
                // Several nodes wait for the same moment.
                try await Task.sleep(for: .milliseconds(Int.random(in: 10...30)))
            }
        } catch ClickHouseError.refused {
            // When this user may not see the inserts, the server itself refuses one that comes too early.
        }
    }

    private func runsInsert(into path: String, on host: Int) async throws -> Bool {
        var answer = try await read(
            ClickHouseQuery("SELECT count() FROM system.zookeeper WHERE path = '\(path)/quorum' AND name = 'status'"),
            from: host)
        return try answer.number(UInt64.self) > 0
    }

    private static let looks = 50

    /// Some columns of the table's replica on a host; nil when the table is not replicated.
    private func replica(_ host: Int, _ columns: String) async throws -> RowBinaryReader? {
        let answer = try await read(
            ClickHouseQuery(
                """
                SELECT \(columns) FROM system.replicas \
                WHERE database = '\(settings.database)' AND table = '\(ClickHouseTable.name)'
                """), from: host)
        return answer.isAtEnd ? nil : answer
    }

    /// The entries of a replica's queue that are blocks. ZooKeeper changes the queue and the place in the log at once, and the
    /// memory of the server follows later.
    private func fetches(in path: String, on host: Int) async throws -> Set<String> {
        var answer = try await read(
            ClickHouseQuery(
                """
                SELECT name FROM system.zookeeper WHERE path = '\(path)/queue' AND position(value, '\\nget\\n') > 0
                """), from: host)
        var names: Set<String> = []
        while !answer.isAtEnd { names.insert(try answer.text()) }
        return names
    }
}

/// Decides whether a replica has every block that its table had when the client began to ask. A pure value.
///
/// A replica copies the log of its table into a queue of its own, and fetches what the queue names in any order. So it
/// has the blocks when it has copied the log up to its end at the first look, and has fetched all blocks that its queue
/// named at that moment. Later blocks do not matter, so the waiting also ends while others insert.
struct ReplicaBlocks: Sendable {
    /// The last entry of the log at the first look; nil before it.
    private var last: UInt64?
    /// Entries that the queue named when the log was copied up to `last`, and that are still in it; nil until then.
    private var missing: Set<String>?

    /// - Parameters:
    ///   - last: the last entry of the log; 0 when it is empty, or has only that one.
    ///   - next: the entry that the replica copies next.
    ///   - fetches: the names of the entries of its queue that are blocks, asked after `next`.
    /// - Returns: whether nothing is missing.
    mutating func look(last: UInt64, next: UInt64, fetches: Set<String>) -> Bool {
        let end = self.last ?? last
        self.last = end
        // The server checks the newest block by itself, so a single block cannot be missing.
        guard next > end || end == 0 else { return false }
        let missing = missing?.intersection(fetches) ?? fetches
        self.missing = missing
        return missing.isEmpty
    }
}
