import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Figures of a cluster") struct ClusterFiguresTests {
    private func place(_ owner: String, next: Int64) -> PartitionLease {
        PartitionLease(owner: owner, incarnation: "log", through: 1, next: next)
    }

    private func texts(_ figures: [EngineFigure]) -> [String] {
        figures.map { figure in
            let partition = figure.partition.map { " of \($0)" } ?? ""
            return "\(figure.name.dropFirst("tributary_cluster_".count))\(partition): \(figure.value)"
        }
    }

    @Test("The slowest partition says how old the time is up to which all is stored") func complete() {
        let figures = ClusterFigures.log(
            standing: [place("a", next: 9_000), place("", next: 4_500)], waiting: [3, 0], now: 10_000)
        #expect(
            texts(figures) == [
                "waiting_records of 0: 3.0", "waiting_records of 1: 0.0", "partitions_without_owner: 1.0",
                "complete_seconds: 5.5",
            ])
        #expect(figures.allSatisfy { !$0.help.isEmpty })
        // A clock that is behind the owner's.
        let ahead = ClusterFigures.log(standing: [place("a", next: 9_000)], waiting: [], now: 8_000)
        #expect(texts(ahead) == ["partitions_without_owner: 0.0", "complete_seconds: 0.0"])
    }

    @Test("Before every partition was taken, no such time is known") func untaken() {
        let figures = ClusterFigures.log(standing: [place("a", next: 9_000), nil], waiting: [], now: 10_000)
        #expect(texts(figures) == ["partitions_without_owner: 1.0"])
    }

    @Test("The waiting records of a partition are the ones after its place") func waiting() async {
        let progress = ClusterProgress(partitions: 2)
        #expect(await progress.waitingByPartition == [])
        _ = await progress.update([place("a", next: 1), nil])
        await progress.note(end: IntakeMark(places: [5, 2]))
        #expect(await progress.waitingByPartition == [4, 2])
    }
}
