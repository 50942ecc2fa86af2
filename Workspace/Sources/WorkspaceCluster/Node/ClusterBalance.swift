import Logging
import ServiceLifecycle
import WorkspaceCore
import WorkspaceServer

/// Shares the partitions evenly among the nodes that answer: each may own an equal share. Passes the reports of the
/// other nodes on: the accepted events to the quotas, the resting destinations to the administration, and the keys to
/// the settings. Lets a node coordinate that can change settings.
struct ClusterBalance: Service {
    let nodes: any NodeDirectory
    let owned: OwnedPartitions
    let partitions: Int
    /// The id of this node.
    let own: String
    let quotas: QuotaLedger
    let rests: PausedDestinations
    let settings: SharedSettings
    let logger: Logger
    let failures: RepeatedFailures

    /// The time between two counts, and the time within which nodes have to answer.
    private static let pause = Duration.seconds(1)
    private static let patience = Duration.milliseconds(500)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var exchange = QuotaExchange()
            while true {
                await count(&exchange)
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// When the nodes cannot be asked, the share stays as it was.
    private func count(_ exchange: inout QuotaExchange) async {
        owned.isOutdated = settings.isOutdated
        do {
            let reports = try await nodes.nodes(within: Self.patience)
            owned.share = Self.share(of: partitions, among: max(1, Set(reports.map(\.id)).count))
            owned.first = Self.first(own, isOutdated: owned.isOutdated, reports)
            rests.note(others: Self.resting(besides: own, reports))
            settings.note(readers: reports.map(\.keys))
            let day = quotas.own.day
            quotas.note(elsewhere: DayCounts(day: day, events: exchange.take(reports, besides: own, on: day)))
        } catch {
            failures.log(
                "the nodes of the cluster cannot be counted", kind: "nodes", logger, level: .warning,
                metadata: ["error": "\(error)"])
        }
    }

    /// A node that cannot change settings leaves the first partition to one that can, if there is one.
    static func first(_ own: String, isOutdated: Bool, _ reports: [NodeReport]) -> OwnedPartitions.First {
        let others = reports.filter { $0.id != own }
        if isOutdated { return others.contains { !$0.isOutdated } ? .avoided : .shared }
        return others.contains { $0.isOutdated } ? .wanted : .shared
    }

    static func resting(besides own: String, _ reports: [NodeReport]) -> [Int64: DestinationRest] {
        reports.reduce(into: [:]) { all, report in
            if report.id != own { all.merge(report.resting) { $1 } }
        }
    }

    static func share(of partitions: Int, among nodes: Int) -> Int { (partitions + nodes - 1) / nodes }
}

/// Adds up the events that the other nodes of a cluster accepted today. A pure value.
///
/// Each node counts the events that it accepted since its start. When this node starts, it learns the earlier events of
/// all nodes from the store. So it subtracts the count that each other node had in its first report. A node that ended
/// keeps its last count.
struct QuotaExchange: Sendable, Equatable {
    private var day: Int64 = .min
    private var isFirst = true
    /// By the id of the node's start: its count when this node began, and its last count.
    private var nodes: [String: Node] = [:]

    private struct Node: Sendable, Equatable {
        var known: [Int64: Int]
        var last: [Int64: Int]
    }

    /// Takes in the reports of the nodes that answered.
    /// - Parameters:
    ///   - own: the id of this node. Its own report does not count.
    ///   - day: today, in days since 1970. Reports about another day do not count.
    /// - Returns: today's events that other nodes accepted since this one began, by source.
    mutating func take(_ reports: [NodeReport], besides own: String, on day: Int64) -> [Int64: Int] {
        if day != self.day {
            // On a new day, the store has no earlier events.
            isFirst = isFirst && self.day == .min
            (self.day, nodes) = (day, [:])
        }
        for report in reports where report.id != own && report.received.day == day {
            let counts = report.received.events
            nodes[report.id, default: Node(known: isFirst ? counts : [:], last: [:])].last = counts
        }
        isFirst = false
        return nodes.values.reduce(into: [:]) { sum, node in
            for (source, count) in node.last {
                sum[source, default: 0] += max(0, count - node.known[source, default: 0])
            }
        }
    }
}
