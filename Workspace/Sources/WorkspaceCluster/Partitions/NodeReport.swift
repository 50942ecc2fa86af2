package import TributaryJSON
package import WorkspaceCore
import WorkspaceServer

/// A node's report about itself to the other nodes of its cluster.
package struct NodeReport: Sendable, Equatable {
    /// The name that the operator gave.
    package let name: String
    /// Differs for each start of the node.
    package let id: String
    package let version: String
    /// The partitions that the node owns as far as it knows, each with its last stored record.
    package var owned: [Int: UInt64] = [:]
    /// How often the node came to own a partition, how often it stored an announced range once more, and how often a log went
    /// back, since its start.
    package var takeovers = 0
    package var repeated = 0
    package var alarms = 0
    /// Whether a newer version of the server has changed the settings, so the node does not follow them.
    package var isOutdated = false
    /// The marks of the keys with which the node can open changes of the settings.
    package var keys: [[UInt8]] = []
    /// The events that the node accepted today for sources with a quota.
    package var received = DayCounts(day: 0)
    /// The destinations to which the node sends nothing at present, with the reason.
    var resting: [Int64: DestinationRest] = [:]

    /// The most destinations that a report names.
    private static let mostResting = 100

    /// Whether the node does the work that only one node may do. See `ClusterNode`.
    var isCoordinator: Bool { owned[0] != nil && !isOutdated }

    package var json: JSON {
        [
            "name": .string(name), "id": .string(id), "version": .string(version),
            "partitions": .array(owned.keys.sorted().map { .number($0) }),
            "through": .array(owned.keys.sorted().map { .string("\(owned[$0] ?? 0)") }),
            "takeovers": .number(takeovers), "repeated": .number(repeated), "alarms": .number(alarms),
            "isOutdated": .bool(isOutdated), "keys": .array(keys.map { .array($0.map { .number(Int($0)) }) }),
            "received": received.json,
            "resting": .array(resting.sorted { $0.key < $1.key }.prefix(Self.mostResting).map(Self.json)),
        ]
    }

    private static func json(_ destination: Int64, _ rest: DestinationRest) -> JSON {
        ["destination": .string("\(destination)"), "until": .number(rest.until), "reason": .string(rest.reason)]
    }

    private static func resting(_ json: JSON?) -> [Int64: DestinationRest] {
        (json?.elements ?? []).reduce(into: [:]) { all, one in
            guard let destination = one["destination"]?.stringValue.flatMap({ Int64($0) }),
                let until = one["until"]?.numberValue?.int64, let reason = one["reason"]?.stringValue
            else { return }
            all[destination] = DestinationRest(until: until, reason: reason)
        }
    }
}

extension NodeReport {
    /// Nil when the JSON is not a report. Members that a newer version added are ignored.
    package init?(_ json: JSON) {
        guard let name = json["name"]?.stringValue, let id = json["id"]?.stringValue,
            let version = json["version"]?.stringValue, let partitions = json["partitions"]?.elements,
            let through = json["through"]?.elements, partitions.count == through.count
        else { return nil }
        var owned: [Int: UInt64] = [:]
        for (partition, place) in zip(partitions, through) {
            guard let partition = partition.intValue, let place = place.stringValue.flatMap({ UInt64($0) }) else {
                return nil
            }
            owned[partition] = place
        }
        self.init(
            name: name, id: id, version: version, owned: owned, takeovers: json["takeovers"]?.intValue ?? 0,
            repeated: json["repeated"]?.intValue ?? 0, alarms: json["alarms"]?.intValue ?? 0,
            isOutdated: json["isOutdated"]?.boolValue ?? false,
            keys: (json["keys"]?.elements ?? []).map {
                ($0.elements ?? []).compactMap { $0.intValue.flatMap { UInt8(exactly: $0) } }
            },
            received: json["received"].flatMap(DayCounts.init) ?? DayCounts(day: 0),
            resting: Self.resting(json["resting"]))
    }
}

/// Collects the reports of the nodes of a cluster.
package protocol NodeDirectory: Sendable {
    /// Answers every node that asks with a report, until the process ends.
    func answer(with report: @escaping @Sendable () -> NodeReport) throws

    /// The reports of all nodes that answer within that time, this one included.
    func nodes(within duration: Duration) async throws -> [NodeReport]
}
