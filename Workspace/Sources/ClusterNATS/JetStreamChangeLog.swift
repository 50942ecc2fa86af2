import Foundation
import TributaryJSON
package import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// The log of the changes of a cluster's settings: one stream of JetStream with replicas on several servers.
///
/// Servers have to sync each record before they acknowledge it (`sync_interval: always`). Only records before a
/// snapshot are removed, by a purge. Streams of older versions refuse a purge (`deny_purge`) and keep all records.
package struct JetStreamChangeLog: ChangeLog {
    private let connection: NATSConnection
    private let name: String
    /// How long an append goes on trying.
    private let patience: Duration

    /// Makes the stream when it is missing.
    /// - Parameters:
    ///   - name: the name of the stream: letters, digits and `_`.
    ///   - replicas: servers that keep each record: 3, or 5.
    /// - Throws: `LogError`, also when the stream has other settings.
    package init(
        _ connection: NATSConnection, name: String, replicas: Int = 3, patience: Duration = .seconds(10)
    ) async throws {
        (self.connection, self.name, self.patience) = (connection, name, patience)
        try await JetStream.make(Self.settings(name, replicas: replicas), on: connection)
    }

    /// The settings of the stream.
    static func settings(_ name: String, replicas: Int) -> JSONObject {
        [
            "name": .string(name), "subjects": [.string("\(name).change")], "storage": "file",
            "num_replicas": .number(Int64(replicas)), "retention": "limits", "discard": "new", "allow_direct": true,
            "deny_delete": true, "deny_purge": false,
        ]
    }

    /// Looks for the record when its answer did not come, also after a refusal: the refusal may concern a second
    /// attempt, after the first one had succeeded.
    package func append(_ record: [UInt8], id: String, after last: UInt64) async throws -> UInt64? {
        let headers = [("Nats-Expected-Last-Sequence", "\(last)"), ("Nats-Msg-Id", id)]
        let end = ContinuousClock.now + patience
        var reason = "no time"
        repeat {
            do {
                let answer = try await connection.ask(
                    "\(name).change", record, headers: headers, within: .seconds(2))
                guard let place = JetStream.number(try answer.result()["seq"]) else {
                    throw LogError.broken("an acknowledgement has no sequence")
                }
                return place
            } catch let error as JetStreamFailure {
                guard error.isPassing || JetStreamFailure.wrongRevision.contains(error.code) else {
                    throw LogError.refused("\(error)")
                }
                reason = "\(error)"
            } catch LogError.unavailable(let text) {
                reason = text
            }
            do {
                if let found = try await read(from: last + 1, atMost: 1).first {
                    return found.bytes == record ? found.place : nil
                }
            } catch LogError.unavailable(let text) {
                reason = text
            } catch LogError.wentBack(let found, _) {
                // The log ends before `last`, or a server that has just become the leader says so.
                reason = "the log ends at \(found), and the record shall follow \(last)"
            }
            try await Task.sleep(for: .milliseconds(50))
        } while ContinuousClock.now < end
        throw LogError.unavailable(reason)
    }

    package func read(from place: UInt64, atMost count: Int) async throws -> [LogRecord] {
        let request: JSON = [
            "seq": .number(Int64(place)), "batch": .number(Int64(count)), "max_bytes": .number(Self.bytesAtOnce),
        ]
        var records: [LogRecord] = []
        var isEnd = false
        try await connection.ask("$JS.API.DIRECT.GET.\(name)", request.encoded(), within: .seconds(5)) { message in
            // A message without a sequence ends the answer. A message that is not the next one is ignored: the replica
            // that answers may lack a record.
            guard let found = message.headers["Nats-Sequence"].flatMap({ UInt64($0) }),
                found == place + UInt64(records.count)
            else {
                isEnd = true
                return false
            }
            records.append(LogRecord(place: found, bytes: message.bytes))
            return records.count < count
        }
        if !records.isEmpty { return records }
        guard isEnd else { throw LogError.unavailable("\(name) was not read in time") }
        let standing = try await standing()
        guard place <= standing.last + 1 else { throw LogError.wentBack(last: standing.last, known: place - 1) }
        guard place >= standing.first else { throw LogError.trimmed(first: standing.first, asked: place) }
        return place <= standing.last ? try await readFromLeader(place) : []
    }

    /// The record of a place that the replica which was asked does not have yet.
    private func readFromLeader(_ place: UInt64) async throws -> [LogRecord] {
        let request: JSON = ["seq": .number(Int64(place))]
        do {
            let result = try await connection.ask("$JS.API.STREAM.MSG.GET.\(name)", request.encoded()).result()
            let text = result["message"]?["data"]?.stringValue ?? ""
            guard let data = Data(base64Encoded: text) else {
                throw LogError.broken("the record \(place) of \(name) cannot be read")
            }
            return [LogRecord(place: place, bytes: [UInt8](data))]
        } catch let error as JetStreamFailure where error.code == JetStreamFailure.noMessage {
            return []
        } catch let error as JetStreamFailure {
            throw LogError.unavailable("\(name): \(error)")
        }
    }

    package func trim(before place: UInt64) async throws {
        let standing = try await standing()
        guard place > standing.first else { return }
        // For a place after the log's end, a server would continue to count from that place.
        guard place <= standing.last else { throw LogError.refused("\(name) has no record \(place)") }
        let request: JSON = ["seq": .number(Int64(place))]
        do {
            _ = try await connection.ask("$JS.API.STREAM.PURGE.\(name)", request.encoded()).result()
        } catch let error as JetStreamFailure {
            guard error.code != JetStreamFailure.noPurge else { throw LogError.refused("\(name): \(error)") }
            throw LogError.unavailable("\(name): \(error)")
        }
    }

    package func standing() async throws -> LogRange {
        let result: JSON
        do {
            result = try await connection.ask("$JS.API.STREAM.INFO.\(name)").result()
        } catch let error as JetStreamFailure {
            throw LogError.unavailable("\(name): \(error)")
        }
        guard let created = result["created"]?.stringValue, let first = JetStream.number(result["state"]?["first_seq"]),
            let last = JetStream.number(result["state"]?["last_seq"])
        else { throw LogError.broken("the description of \(name) lacks its state") }
        return LogRange(incarnation: created, first: max(first, 1), last: last)
    }

    private static let bytesAtOnce: Int64 = 8 << 20
}
