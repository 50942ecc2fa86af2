import WorkspaceCore
import WorkspaceServer

/// The figures of a cluster's node for monitoring: its own work, and how far the whole log was stored when the node
/// last looked.
enum ClusterFigures {
    private static let help = [
        "tributary_cluster_owned_partitions": "Partitions of the log that this node stores.",
        "tributary_cluster_coordinator": "1 on the node that moves roll-outs and deletes old days, else 0.",
        "tributary_cluster_takeovers_total": "How often this node came to own a partition.",
        "tributary_cluster_repeated_total":
            "How often this node stored a range of the log once more that an owner had announced and not confirmed.",
        "tributary_cluster_alarms_total": "How often this node found that the log went back.",
        "tributary_cluster_waiting_records": "Records of a partition that are acknowledged and not stored.",
        "tributary_cluster_partitions_without_owner": "Partitions that no node has taken.",
        "tributary_cluster_complete_seconds": "How long ago the time was up to which every partition is stored.",
        "tributary_cluster_settings_applied": "Changes of settings that this node has applied.",
        "tributary_cluster_health_counted": "Records of health reports that this node has counted.",
        "tributary_cluster_health_following":
            "1 while this node has counted the health reports of all nodes, else 0.",
        "tributary_cluster_settings_following": "1 while this node follows the settings of the cluster, else 0.",
        "tributary_cluster_settings_outdated":
            "1 while a newer version of the server has changed the settings, and this node needs it, else 0.",
    ]

    private static func figure(_ name: String, partition: Int? = nil, _ value: Double) -> EngineFigure {
        let name = "tributary_cluster_\(name)"
        return EngineFigure(name: name, help: help[name] ?? "", partition: partition, value: value)
    }

    /// - Parameter now: milliseconds since 1970.
    static func of(_ node: ClusterNode, _ settings: SharedSettings, now: Int64) async -> [EngineFigure] {
        let owned = node.worker.owned
        var figures = [
            figure("owned_partitions", Double(owned.leases.count)), figure("coordinator", node.isCoordinator ? 1 : 0),
            figure("takeovers_total", Double(owned.takeovers)), figure("repeated_total", Double(owned.repeated)),
            figure("alarms_total", Double(owned.alarms)),
        ]
        figures += log(
            standing: await node.progress.standing, waiting: await node.progress.waitingByPartition, now: now)
        figures.append(figure("health_counted", Double(await node.health.progress.place)))
        figures.append(figure("health_following", await node.health.progress.isFollowing ? 1 : 0))
        figures.append(figure("settings_applied", Double(settings.place)))
        figures.append(figure("settings_following", settings.state == .following ? 1 : 0))
        figures.append(figure("settings_outdated", settings.isOutdated ? 1 : 0))
        return figures
    }

    /// How far the log is stored.
    /// - Parameter waiting: the number of records of each partition that are not stored; empty before the node has
    ///   counted them.
    static func log(standing: [PartitionLease?], waiting: [Int], now: Int64) -> [EngineFigure] {
        let unowned = standing.count { $0?.owner.isEmpty ?? true }
        var figures = waiting.enumerated().map { figure("waiting_records", partition: $0, Double($1)) }
        figures.append(figure("partitions_without_owner", Double(unowned)))
        // There is no such time until every partition has had an owner.
        if let complete = standing.map({ $0?.next ?? 0 }).min(), complete > 0 {
            figures.append(figure("complete_seconds", Double(max(0, now - complete)) / 1_000))
        }
        return figures
    }
}
