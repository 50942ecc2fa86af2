import TributaryJSON
import WorkspaceCore
import WorkspaceServer

extension ClusterState {
    /// The answer of `GET /api/cluster`.
    var json: JSON {
        [
            "at": .time(at), "answeredBy": .string(node.id), "problems": .strings(problems),
            "nodes": .array(nodes.map(Self.json)), "partitions": .array(partitions.map(Self.json)),
            "settings": settings.map(Self.json) ?? .null,
        ]
    }

    private static func number(_ number: UInt64) -> JSON { .number(Int64(clamping: number)) }

    private static func json(_ settings: Settings) -> JSON {
        let (state, reason): (String, String?) =
            switch settings.state {
            case .starting: ("starting", nil)
            case .following: ("following", nil)
            case .away(let reason): ("away", reason)
            case .outdated(let reason): ("outdated", reason)
            case .diverged(let reason): ("diverged", reason)
            }
        return [
            "applied": number(settings.applied), "state": .string(state), "reason": .string(reason),
            "usesNewKey": .bool(settings.usesNewKey), "needsOldKey": .bool(settings.needsOldKey),
        ]
    }

    private static func json(_ report: NodeReport) -> JSON {
        [
            "name": .string(report.name), "id": .string(report.id), "version": .string(report.version),
            "partitions": .number(report.owned.count), "isCoordinator": .bool(report.isCoordinator),
            "isOutdated": .bool(report.isOutdated), "takeovers": .number(report.takeovers),
            "repeated": .number(report.repeated), "alarms": .number(report.alarms),
        ]
    }

    private static func json(_ partition: Partition) -> JSON {
        [
            "partition": .number(partition.number), "owner": .string(partition.owner),
            "answers": .bool(partition.answers), "epoch": number(partition.epoch), "stored": number(partition.stored),
            "acknowledged": number(partition.acknowledged), "waiting": number(partition.waiting),
            "confirmedAt": .time(partition.confirmedAt),
        ]
    }
}

extension SharedSettings {
    /// How far the node has applied the settings now.
    var standing: ClusterState.Settings {
        get async {
            ClusterState.Settings(
                state: state, applied: place, usesNewKey: usesNewKey, needsOldKey: await needsOldKey())
        }
    }
}
