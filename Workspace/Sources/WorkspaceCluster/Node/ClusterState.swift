import WorkspaceCore
import WorkspaceServer

/// The state of a cluster, as one of its nodes sees it, for people and for monitoring. A pure value.
struct ClusterState: Sendable, Equatable {
    /// A partition of the log.
    struct Partition: Sendable, Equatable {
        let number: Int
        /// The name of the node that stores the partition. When that node does not answer, its id; nil when no node
        /// stores the partition.
        let owner: String?
        /// Whether the owner answers. An owner that does not answer ended a moment ago, or hangs.
        let answers: Bool
        let epoch: UInt64
        /// Records up to this one are in the store.
        let stored: UInt64
        /// The last record of the log.
        let acknowledged: UInt64
        /// All records from before this time are in the store, in milliseconds since 1970; nil when the partition has
        /// not had an owner yet.
        let confirmedAt: Int64?

        var waiting: UInt64 { acknowledged - min(acknowledged, stored) }
    }

    /// How far the answering node has applied the settings of the cluster.
    struct Settings: Sendable, Equatable {
        let state: SharedSettings.State
        /// The place of the last change that it has applied.
        let applied: UInt64
        /// Whether the node seals changes with the new key.
        var usesNewKey = true
        /// Whether the log has records that only an old key opens; nil when that is unknown.
        var needsOldKey: Bool?
    }

    /// The time of this state, by the clock of the answering node; milliseconds since 1970.
    let at: Int64
    /// The answering node.
    let node: NodeReport
    /// All nodes that answered, in the order of their ids, the answering node included.
    let nodes: [NodeReport]
    let partitions: [Partition]
    let settings: Settings?

    /// - Parameters:
    ///   - node: the report of the answering node.
    ///   - others: the reports that this node got; its own may be among them.
    ///   - places: the record of each partition; nil for a partition that has not had an owner yet.
    ///   - end: the last record of each partition.
    init(
        at: Int64, node: NodeReport, others: [NodeReport], places: [PartitionLease?], end: IntakeMark,
        settings: Settings?
    ) {
        let reports = Dictionary(others.map { ($0.id, $0) }) { $1 }.merging([node.id: node]) { $1 }
        (self.at, self.node, self.settings) = (at, node, settings)
        nodes = reports.values.sorted { $0.id < $1.id }
        partitions = zip(places, end.places).enumerated().map { number, pair in
            let owner = pair.0.flatMap { $0.owner.isEmpty ? nil : $0.owner }
            let report = owner.flatMap { reports[$0] }
            return Partition(
                number: number, owner: report?.name ?? owner, answers: report != nil, epoch: pair.0?.epoch ?? 0,
                stored: pair.0?.through ?? 0, acknowledged: pair.1, confirmedAt: pair.0?.next)
        }
    }

    /// The problems that need a person: a sentence for each, without a full stop. Empty when all is well.
    ///
    /// Only this list decides that: for the exit status of `tributary cluster status` and for the page.
    var problems: [String] {
        [unowned].compactMap { $0 } + nodes.compactMap(Self.alarm) + nodes.compactMap(outdated)
            + [unfollowed].compactMap { $0 }
    }

    private var unowned: String? {
        let numbers = partitions.filter { !$0.answers }.map(\.number)
        guard let last = numbers.last else { return nil }
        let listed = numbers.dropLast().map(String.init).joined(separator: ", ")
        let which = listed.isEmpty ? "partition \(last)" : "the partitions \(listed) and \(last)"
        return "no node that answers owns \(which): what arrives there waits in the log"
    }

    private static func alarm(_ node: NodeReport) -> String? {
        guard node.alarms > 0 else { return nil }
        let times = node.alarms == 1 ? "once" : "\(node.alarms) times"
        return "\(node.name) found \(times) that the log went back: acknowledged records may be lost"
    }

    /// The problem of a node that is too old for the settings. The answering node knows more about itself.
    private func outdated(_ node: NodeReport) -> String? {
        guard node.isOutdated, node.id != self.node.id else { return nil }
        return "a newer version of the server changed the settings, and \(node.name) has to be upgraded"
    }

    private var unfollowed: String? {
        switch settings?.state {
        case nil, .following: nil
        case .starting: "\(node.name) has not reached the log of the settings since it started"
        case .away(let reason): "\(node.name) cannot use the log of the settings: \(reason)"
        case .outdated(let reason): "\(node.name) does not follow the settings: \(reason)"
        case .diverged(let reason): "\(node.name) does not follow the settings any more: \(reason)"
        }
    }
}
