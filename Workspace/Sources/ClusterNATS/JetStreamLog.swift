import Foundation
import TributaryJSON
package import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// The log of a cluster: a stream of JetStream for each partition, with replicas on several servers.
///
/// Servers have to sync each record before they acknowledge it (`sync_interval: always`).
package struct JetStreamLog: EventLog {
    private let connection: NATSConnection
    private let name: String
    package let partitions: Int
    /// How long an append goes on trying.
    private let patience: Duration

    /// Makes the streams that are missing.
    /// - Parameters:
    ///   - name: the beginning of the names of the streams and of their subjects: letters, digits and `_`.
    ///   - replicas: servers that keep each record: 3, or 5.
    ///   - bytes: the size of a partition at which appends are refused until it is trimmed. Servers reserve the space
    ///     when a stream is made. An existing stream keeps its own size.
    ///   - days: for a log that is not trimmed: the number of days for which a record is kept. When such a log is full,
    ///     it drops the oldest records and refuses none.
    /// - Throws: `LogError`, also when a stream has other settings, or the servers take no message as large as a record.
    package init(
        _ connection: NATSConnection, name: String, partitions: Int, replicas: Int = 3,
        bytes: Int64 = JetStreamLog.usualBytes, days: Int64? = nil,
        patience: Duration = .seconds(20)
    ) async throws {
        (self.connection, self.name, self.partitions, self.patience) = (connection, name, partitions, patience)
        guard connection.mostBytes >= ClusterRecord.mostBytes else {
            throw LogError.refused(
                "the servers have max_payload = \(connection.mostBytes); a request needs up to "
                    + "\(ClusterRecord.mostBytes) bytes, so set max_payload: 8MB")
        }
        for partition in 0..<partitions {
            let wanted = Self.settings(name, partition, of: partitions, replicas: replicas, bytes: bytes, days: days)
            try await JetStream.make(wanted, on: connection)
        }
    }

    /// The settings of the stream of a partition.
    static func settings(
        _ name: String, _ partition: Int, of partitions: Int, replicas: Int, bytes: Int64, days: Int64? = nil
    ) -> JSONObject {
        var settings: JSONObject = [
            "name": .string("\(name)_\(partition)"), "subjects": [.string("\(name).\(partition)")], "storage": "file",
            "num_replicas": .number(Int64(replicas)),
            // The number of partitions never changes: it decides the partition of a device's events.
            "description": .string("partition \(partition) of \(partitions)"), "retention": "limits", "discard": "new",
            "max_bytes": .number(bytes), "allow_direct": true, "deny_delete": true,
            "duplicate_window": .number(duplicateWindow),
        ]
        guard let days else { return settings }
        settings["discard"] = "old"
        settings["max_age"] = .number(days * 86_400_000_000_000)
        return settings
    }

    @discardableResult
    package func append(_ record: [UInt8], id: String, to partition: Int) async throws -> UInt64 {
        let end = ContinuousClock.now + patience
        var last = "no time"
        while ContinuousClock.now < end {
            do {
                let answer = try await connection.ask(subject(partition), record, headers: [("Nats-Msg-Id", id)])
                guard let place = JetStream.number(try answer.result()["seq"]) else {
                    throw LogError.broken("an acknowledgement has no sequence")
                }
                return place
            } catch let error as JetStreamFailure {
                guard error.isPassing else { throw LogError.refused("\(error)") }
                last = "\(error)"
            } catch LogError.unavailable(let reason) {
                last = reason
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw LogError.unavailable(last)
    }

    package func read(
        _ partition: Int, from place: UInt64, atMost count: Int, bytes: Int
    ) async throws -> [LogRecord] {
        let request: JSON = [
            "seq": .number(Int64(place)), "batch": .number(Int64(count)), "max_bytes": .number(Int64(bytes)),
        ]
        var records: [LogRecord] = []
        var isEnd = false
        try await connection.ask(
            "$JS.API.DIRECT.GET.\(stream(partition))", request.encoded(), within: .seconds(5)
        ) { message in
            // Every message has a sequence. A message without one ends the answer.
            guard let found = message.headers["Nats-Sequence"].flatMap({ UInt64($0) }) else {
                isEnd = true
                return false
            }
            // A message that is not the next one is ignored: the replica that answers may lack a record.
            guard found == place + UInt64(records.count) else {
                isEnd = true
                return false
            }
            records.append(LogRecord(place: found, bytes: message.bytes))
            return records.count < count
        }
        if !records.isEmpty { return records }
        let standing = try await standing(of: partition)
        guard place <= standing.last + 1 else { throw LogError.wentBack(last: standing.last, known: place - 1) }
        guard place >= standing.first else { throw LogError.trimmed(first: standing.first, asked: place) }
        if !isEnd { throw LogError.unavailable("\(stream(partition)) was not read in time") }
        return []
    }

    package func standing(of partition: Int) async throws -> LogRange {
        let result: JSON
        do {
            result = try await connection.ask("$JS.API.STREAM.INFO.\(stream(partition))").result()
        } catch let error as JetStreamFailure {
            throw LogError.unavailable("\(stream(partition)): \(error)")
        }
        guard let created = result["created"]?.stringValue, let first = JetStream.number(result["state"]?["first_seq"]),
            let last = JetStream.number(result["state"]?["last_seq"])
        else { throw LogError.broken("the description of \(stream(partition)) lacks its state") }
        return LogRange(incarnation: created, first: max(first, 1), last: last)
    }

    package func trim(_ partition: Int, through place: UInt64) async throws {
        let request: JSON = ["seq": .number(Int64(place) + 1)]
        do {
            _ = try await connection.ask("$JS.API.STREAM.PURGE.\(stream(partition))", request.encoded()).result()
        } catch let error as JetStreamFailure {
            throw LogError.unavailable("\(stream(partition)): \(error)")
        }
    }

    package func close() { connection.close() }

    /// Two minutes, in nanoseconds, for appends that are sent again. `PartitionIndex` recognises repeats by clients.
    private static let duplicateWindow: Int64 = 120_000_000_000

    /// How many days health reports are kept for nodes that have not counted them: sums are kept as long.
    package static let healthDays: Int64 = 30

    /// The default size of a partition.
    package static let usualBytes: Int64 = 1 << 30

    private func stream(_ partition: Int) -> String { "\(name)_\(partition)" }

    private func subject(_ partition: Int) -> String { "\(name).\(partition)" }
}
