import Testing

@testable import WorkspaceServer

@Suite("How far a cluster is") struct ClusterProgressTests {
    private func place(through: UInt64, next: Int64) -> PartitionPlace {
        PartitionPlace(owner: "me", incarnation: "log", through: through, next: next)
    }

    private static let time: Int64 = 1_800_000_000_000

    @Test("Rows are confirmed up to the time that every partition has passed, and never less") func confirmed() async {
        let progress = ClusterProgress(partitions: 2)
        #expect(await progress.confirmed == 0)
        // Nobody has taken the second partition: its rows may have any number.
        #expect(await progress.update([place(through: 3, next: Self.time), nil]) == false)
        #expect(await progress.confirmed <= 0)
        let late = place(through: 3, next: Self.time + 50)
        #expect(await progress.update([late, place(through: 0, next: Self.time)]))
        #expect(await progress.confirmed == ClusterNumber.first(at: Self.time) - 1)
        #expect(await progress.update([late, place(through: 0, next: Self.time + 90)]))
        #expect(await progress.confirmed == ClusterNumber.first(at: Self.time + 50) - 1)
        // A replica of the records that lags behind answers.
        #expect(await progress.update([late, place(through: 0, next: Self.time)]) == false)
        #expect(await progress.confirmed == ClusterNumber.first(at: Self.time + 50) - 1)
    }

    @Test("A wait ends when every partition has come as far as it had been told", .timeLimit(.minutes(1)))
    func waiting() async {
        let progress = ClusterProgress(partitions: 2)
        let mark = IntakeMark(places: [3, 1])
        _ = await progress.update([place(through: 2, next: 0), place(through: 9, next: 0)])
        #expect(await progress.missing(mark) == 1)
        await progress.reach(mark, within: .milliseconds(1))
        #expect(await progress.isStored(mark) == false)
        async let reached: Void = progress.reach(mark, within: .seconds(86_400))
        _ = await progress.update([place(through: 3, next: 0), place(through: 9, next: 0)])
        await reached
        #expect(await progress.isStored(mark))
        #expect(await progress.missing(mark) == 0)
    }

    @Test("A long backlog is waited for once") func backlog() async {
        let progress = ClusterProgress(partitions: 1)
        await progress.noteBacklog(IntakeMark(places: [5]))
        #expect(await progress.isBehind)
        _ = await progress.update([place(through: 5, next: 0)])
        #expect(await progress.isBehind == false)
    }
}
