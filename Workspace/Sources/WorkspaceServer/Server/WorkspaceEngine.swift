/// The place where requests wait and events are kept.
enum WorkspaceEngine: Sendable {
    /// The journal and the days of one machine.
    case machine(IngestJournal)
    /// The log and the column store of a cluster.
    case cluster(ClusterNode)

    /// Nil in a cluster.
    var journal: IngestJournal? {
        if case .machine(let journal) = self { journal } else { nil }
    }

    /// Nil on one machine.
    var node: ClusterNode? {
        if case .cluster(let node) = self { node } else { nil }
    }

    /// The events that the store keeps in a cluster; nil on one machine.
    var sharedEvents: SharedEvents? {
        node.map { node in
            SharedEvents(storage: node.storage, confirmed: { [progress = node.progress] in await progress.confirmed })
        }
    }

    /// Whether this server does the work that only one node may do: moving roll-outs and deleting old days. One machine
    /// always does.
    var isCoordinator: Bool {
        node?.isCoordinator ?? true
    }

    /// Whether this server forwards to a destination. One machine always does.
    func forwards(to destination: Int64) -> Bool {
        node?.forwards(to: destination) ?? true
    }

    func close() async {
        switch self {
        case .machine(let journal): journal.close()
        case .cluster(let node): await node.log.close()
        }
    }
}
