import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// A log with a planted fault: it counts a record as safe that the majority has not acknowledged within a second.
struct FaultyLog: EventLog {
    let log: any EventLog

    var partitions: Int { log.partitions }

    func append(_ record: [UInt8], id: String, to partition: Int) async throws -> UInt64 {
        try await withThrowingTaskGroup(of: UInt64.self) { group in
            group.addTask { try await log.append(record, id: id, to: partition) }
            group.addTask {
                try await Task.sleep(for: .seconds(1))
                return 0
            }
            defer { group.cancelAll() }
            return try await group.next() ?? 0
        }
    }

    func read(_ partition: Int, from place: UInt64, atMost count: Int, bytes: Int) async throws -> [LogRecord] {
        try await log.read(partition, from: place, atMost: count, bytes: bytes)
    }

    func standing(of partition: Int) async throws -> LogRange { try await log.standing(of: partition) }

    func trim(_ partition: Int, through place: UInt64) async throws { try await log.trim(partition, through: place) }

    func close() async { await log.close() }
}
