import Foundation
import TributaryJSON
package import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// Keeps the records of partitions in a stream that keeps the last message of each subject, as a key-value bucket does.
package struct JetStreamLeases: PartitionLeases {
    private let connection: NATSConnection
    private let bucket: String
    private let patience: Duration

    /// Makes the bucket when it is missing.
    /// - Parameter bucket: letters, digits and `_`.
    package init(
        _ connection: NATSConnection, bucket: String, replicas: Int = 3, patience: Duration = .seconds(10)
    ) async throws {
        (self.connection, self.bucket, self.patience) = (connection, bucket, patience)
        try await JetStream.make(Self.settings(bucket, replicas: replicas), on: connection)
    }

    /// The settings of the stream.
    static func settings(_ bucket: String, replicas: Int) -> JSONObject {
        [
            "name": .string("KV_\(bucket)"), "subjects": [.string("$KV.\(bucket).>")], "storage": "file",
            "num_replicas": .number(Int64(replicas)), "max_msgs_per_subject": 1, "discard": "new", "deny_delete": true,
            "allow_rollup_hdrs": true, "allow_direct": false,
        ]
    }

    package func place(of partition: Int) async throws -> (place: PartitionLease, revision: UInt64)? {
        guard let found = try await found(partition) else { return nil }
        return (try Self.place(found.value), found.revision)
    }

    /// Looks for the change when its answer did not come: the value of each change has a unique mark.
    package func set(
        _ place: PartitionLease, of partition: Int, ifRevision revision: UInt64
    ) async throws -> UInt64? {
        let mark = "\(UInt64.random(in: 0 ... .max))"
        let value = Self.json(place, mark: mark).encoded()
        let headers = [("Nats-Expected-Last-Subject-Sequence", "\(revision)")]
        let end = ContinuousClock.now + patience
        while true {
            do {
                let answer = try await connection.ask(subject(partition), value, headers: headers, within: .seconds(2))
                guard let revision = JetStream.number(try answer.result()["seq"]) else {
                    throw LogError.broken("an acknowledgement has no sequence")
                }
                return revision
            } catch let error as JetStreamFailure {
                // Also after a refusal: it may concern a second attempt, after the first one had succeeded.
                guard error.isPassing || JetStreamFailure.wrongRevision.contains(error.code) else {
                    throw LogError.refused("\(error)")
                }
            } catch LogError.unavailable {}
            do {
                let now = try await found(partition)
                if let now, now.value["mark"]?.stringValue == mark { return now.revision }
                if (now?.revision ?? 0) != revision { return nil }
            } catch LogError.unavailable {}
            guard ContinuousClock.now < end else {
                throw LogError.unavailable("the record of the partition \(partition) cannot be changed")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    // MARK: Messages

    private func subject(_ partition: Int) -> String { "$KV.\(bucket).partition-\(partition)" }

    /// The leader of the stream answers, so the answer is the newest.
    private func found(_ partition: Int) async throws -> (value: JSON, revision: UInt64)? {
        let request: JSON = ["last_by_subj": .string(subject(partition))]
        let result: JSON
        do {
            result = try await connection.ask(
                "$JS.API.STREAM.MSG.GET.KV_\(bucket)", request.encoded(), within: .seconds(2)
            ).result()
        } catch let error as JetStreamFailure where error.code == JetStreamFailure.noMessage {
            return nil
        } catch let error as JetStreamFailure {
            throw LogError.unavailable("\(error)")
        }
        guard let revision = JetStream.number(result["message"]?["seq"]),
            let data = result["message"]?["data"]?.stringValue.flatMap({ Data(base64Encoded: $0) }),
            let value = try? JSON.parse([UInt8](data))
        else { throw LogError.broken("the record of the partition \(partition) cannot be read") }
        return (value, revision)
    }

    // MARK: Records

    /// The form of a record. A record that names no form has this one, too.
    private static let form = 1
    /// The form of a record with a range that went through scripts. An older version would store it without them, and
    /// with other numbers.
    private static let scriptedForm = 2

    static func json(_ place: PartitionLease, mark: String) -> JSON {
        var object: JSONObject = [
            "owner": .string(place.owner), "epoch": .string("\(place.epoch)"),
            "incarnation": .string(place.incarnation), "through": .string("\(place.through)"),
            "next": .string("\(place.next)"), "mark": .string(mark),
        ]
        if let range = place.announced {
            object["to"] = .string("\(range.to)")
            object["storedAt"] = .string("\(range.storedAt)")
            object["nextAfter"] = .string("\(range.next)")
            if let made = range.made {
                object["made"] = .string(made.text)
                object["form"] = .number(Int64(scriptedForm))
            }
        }
        return .object(object)
    }

    /// Members that a newer version added are ignored, and are lost when this version changes the record. A newer
    /// version that needs such a member raises `form`.
    static func place(_ json: JSON) throws(LogError) -> PartitionLease {
        if let form = json["form"], form.intValue != Self.form, form.intValue != Self.scriptedForm {
            throw .newer("the record of a partition")
        }
        func number<Number: FixedWidthInteger>(_ key: String) -> Number? {
            json[key]?.stringValue.flatMap { Number($0) }
        }
        guard let owner = json["owner"]?.stringValue, let incarnation = json["incarnation"]?.stringValue,
            let epoch: UInt64 = number("epoch"), let through: UInt64 = number("through"),
            let next: Int64 = number("next")
        else { throw .broken("the record of a partition is none: \(json)") }
        var place = PartitionLease(owner: owner, epoch: epoch, incarnation: incarnation, through: through, next: next)
        if let to: UInt64 = number("to"), let storedAt: Int64 = number("storedAt"),
            let next: Int64 = number("nextAfter")
        {
            let made = json["made"]?.stringValue.map { MadeEvents(text: $0) }
            if case .some(nil) = made { throw .broken("the record of a partition is none: \(json)") }
            place.announced = PartitionLease.RecordRange(to: to, storedAt: storedAt, next: next, made: made ?? nil)
        }
        return place
    }
}
