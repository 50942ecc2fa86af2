import Hummingbird
import TributaryJSON

/// The nodes and the partitions of a cluster, for its operators. One machine has neither.
struct ClusterRoutes: Sendable {
    let node: ClusterNode?
    /// Nil on one machine.
    let settings: SharedSettings?

    /// For how long the answers of nodes are waited for.
    private static let patience = Duration.milliseconds(500)

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/cluster") { _, _ in
            guard let node else { return Response.json(["nodes": [], "partitions": [], "settings": .null]) }
            async let nodes = node.nodes.nodes(within: Self.patience)
            let mark = try await node.intake.mark()
            let standing = await node.progress.standing
            let reports = Dictionary(try await nodes.map { ($0.id, $0) }) { $1 }
            return Response.json([
                "nodes": .array(reports.values.sorted { $0.id < $1.id }.map(Self.json)),
                "partitions": .array(
                    standing.indices.map { Self.json($0, standing[$0], last: mark.places[$0], reports) }),
                "settings": settings.map(Self.json) ?? .null,
            ])
        }
    }

    private static func json(_ settings: SharedSettings) -> JSON {
        let (state, reason): (String, String?) =
            switch settings.state {
            case .starting: ("starting", nil)
            case .following: ("following", nil)
            case .away(let reason): ("away", reason)
            case .diverged(let reason): ("diverged", reason)
            }
        return [
            "applied": .number(JSONNumber(Int64(clamping: settings.place))), "state": .string(state),
            "reason": reason.map { .string($0) } ?? .null,
        ]
    }

    private static func json(_ report: NodeReport) -> JSON {
        [
            "name": .string(report.name), "id": .string(report.id), "version": .string(report.version),
            "partitions": .number(JSONNumber(report.owned.count)),
            "isCoordinator": .bool(report.owned[0] != nil), "takeovers": .number(JSONNumber(report.takeovers)),
            "alarms": .number(JSONNumber(report.alarms)),
        ]
    }

    private static func json(
        _ partition: Int, _ place: PartitionPlace?, last: UInt64, _ nodes: [String: NodeReport]
    ) -> JSON {
        let through = place?.through ?? 0
        let owner = place.flatMap { $0.owner.isEmpty ? nil : $0.owner }
        return [
            "partition": .number(JSONNumber(partition)),
            "owner": owner.map { .string(nodes[$0]?.name ?? $0) } ?? .null,
            // An owner that does not answer ended a moment ago, or hangs.
            "answers": .bool(owner.map { nodes[$0] != nil } ?? false),
            "epoch": .number(JSONNumber(Int64(clamping: place?.epoch ?? 0))),
            "stored": .number(JSONNumber(Int64(clamping: through))),
            "acknowledged": .number(JSONNumber(Int64(clamping: last))),
            "waiting": .number(JSONNumber(Int64(clamping: last - min(last, through)))),
            "confirmedAt": place.map { .string(ISO8601.string(milliseconds: $0.next)) } ?? .null,
        ]
    }
}
