import Logging
import ServiceLifecycle

/// Shares the partitions evenly among the nodes that answer: each may own an equal share. Passes the reports of the
/// other nodes on: the accepted events to the quotas, the resting destinations to the administration, and the keys to
/// the settings. Lets a node coordinate that can change settings.
struct ClusterBalance: Service {
    let nodes: any NodeDirectory
    let board: PartitionBoard
    let partitions: Int
    /// The id of this node.
    let own: String
    let quotas: QuotaLedger
    let rests: RestBoard
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
        board.isOutdated = settings.isOutdated
        do {
            let reports = try await nodes.nodes(within: Self.patience)
            board.share = Self.share(of: partitions, among: max(1, Set(reports.map(\.id)).count))
            board.first = Self.first(own, isOutdated: board.isOutdated, reports)
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
    static func first(_ own: String, isOutdated: Bool, _ reports: [NodeReport]) -> PartitionBoard.First {
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
