import Logging
import ServiceLifecycle

/// Shares the partitions evenly among the nodes that answer: each may own as many as come to one.
struct ClusterBalance: Service {
    let nodes: any NodeDirectory
    let board: PartitionBoard
    let partitions: Int
    let logger: Logger
    let failures: RepeatedFailures

    /// The time between two counts, and for how long answers are waited for.
    private static let pause = Duration.seconds(2)
    private static let patience = Duration.milliseconds(500)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await count()
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// When nobody can be asked, the share stays as it was.
    private func count() async {
        do {
            let found = Set(try await nodes.nodes(within: Self.patience).map(\.id)).count
            board.share = Self.share(of: partitions, among: max(1, found))
        } catch {
            failures.log(
                "the nodes of the cluster cannot be counted", kind: "nodes", logger, level: .warning,
                metadata: ["error": "\(error)"])
        }
    }

    static func share(of partitions: Int, among nodes: Int) -> Int { (partitions + nodes - 1) / nodes }
}
