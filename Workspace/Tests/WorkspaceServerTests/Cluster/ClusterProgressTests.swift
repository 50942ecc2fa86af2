import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("How far a cluster is") struct ClusterProgressTests {
    private func place(through: UInt64, next: Int64) -> PartitionLease {
        PartitionLease(owner: "me", incarnation: "log", through: through, next: next)
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

    @Test("A wait ends when every partition has reached its mark", .timeLimit(.minutes(30)))
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

    @Test("A failure lasts from the first look that failed to the next one that did not") func failing() async {
        let progress = ClusterProgress(partitions: 1)
        let begin = ContinuousClock.now
        #expect(await progress.failing(at: begin) == .zero)
        await progress.fail(at: begin)
        await progress.fail(at: begin + .seconds(3))
        #expect(await progress.failing(at: begin + .seconds(5)) == .seconds(5))
        _ = await progress.update([place(through: 1, next: 0)])
        #expect(await progress.failing(at: begin + .seconds(6)) == .zero)
    }

    @Test("A long backlog is waited for once") func backlog() async {
        let progress = ClusterProgress(partitions: 1)
        await progress.noteBacklog(IntakeMark(places: [5]))
        #expect(await progress.isBehind)
        _ = await progress.update([place(through: 5, next: 0)])
        #expect(await progress.isBehind == false)
    }
}

@Suite("Sharing partitions among nodes") struct OwnedPartitionsTests {
    @Test("A node with more than its share gives up its last partitions, and takes no other one") func surplus() {
        let owned = OwnedPartitions(mostOwned: .max)
        for partition in 0..<6 { owned.note(PartitionLease(owner: "me", incarnation: "log"), of: partition) }
        #expect((0..<6).filter(owned.isSurplus).isEmpty)
        owned.share = ClusterBalance.share(of: 6, among: 2)
        #expect((0..<6).filter(owned.isSurplus) == [3, 4, 5])
        #expect(!owned.hasRoom(for: 7))
        for partition in 3..<6 { owned.note(nil, of: partition) }
        #expect((0..<6).filter(owned.isSurplus).isEmpty)
        #expect(!owned.hasRoom(for: 3))
        owned.share = ClusterBalance.share(of: 6, among: 1)
        #expect(owned.hasRoom(for: 3))
        #expect(ClusterBalance.share(of: 16, among: 3) == 6)
        #expect(ClusterBalance.share(of: 2, among: 5) == 1)
    }

    @Test("Repeated ranges of all partitions count, also after a partition was released") func repeated() {
        let owned = OwnedPartitions(mostOwned: .max)
        owned.note(repeated: 1, of: 0)
        owned.note(repeated: 1, of: 3)
        owned.note(nil, of: 3)
        owned.note(repeated: 2, of: 3)
        #expect(owned.repeated == 3)
    }

    @Test(
        "A node that cannot change settings leaves the first partition to one that can, which takes it beside its share"
    )
    func first() {
        func reports(_ outdated: [Bool]) -> [NodeReport] {
            outdated.enumerated().map { NodeReport(name: "n", id: "\($0)", version: "1", isOutdated: $1) }
        }
        #expect(ClusterBalance.first("0", isOutdated: false, reports([false, false])) == .shared)
        #expect(ClusterBalance.first("0", isOutdated: true, reports([true, false])) == .avoided)
        #expect(ClusterBalance.first("1", isOutdated: false, reports([true, false])) == .wanted)
        // Without one that can, the partition is stored all the same.
        #expect(ClusterBalance.first("0", isOutdated: true, reports([true, true])) == .shared)

        let (old, new) = (OwnedPartitions(mostOwned: .max), OwnedPartitions(mostOwned: .max))
        for owned in [old, new] { owned.share = 2 }
        for partition in 0..<2 { old.note(PartitionLease(owner: "old", incarnation: "log"), of: partition) }
        for partition in 2..<4 { new.note(PartitionLease(owner: "new", incarnation: "log"), of: partition) }
        (old.first, new.first) = (.avoided, .wanted)
        #expect((0..<4).filter(old.isSurplus) == [0])
        old.note(nil, of: 0)
        #expect(!old.hasRoom(for: 0))
        #expect(new.hasRoom(for: 0) && !new.hasRoom(for: 1))
        new.note(PartitionLease(owner: "new", incarnation: "log"), of: 0)
        #expect((0..<4).filter(new.isSurplus) == [3])
    }

    @Test("A node that cannot change settings stores its partitions, and does no other work for them") func outdated() {
        let owned = OwnedPartitions(mostOwned: .max)
        for partition in [0, 2] { owned.note(PartitionLease(owner: "me", incarnation: "log"), of: partition) }
        #expect(owned.responsible == [0, 2])
        owned.isOutdated = true
        #expect(owned.responsible.isEmpty)
        #expect(Set(owned.leases.keys) == [0, 2])
    }

    @Test("A partition with a record that cannot be read is let go, and not taken again") func unreadable() {
        let owned = OwnedPartitions(mostOwned: .max)
        owned.note(PartitionLease(owner: "me", incarnation: "log"), of: 1)
        #expect(!owned.isSurplus(1))
        #expect(owned.refuse(1))
        #expect(!owned.refuse(1))
        #expect(owned.isSurplus(1))
        owned.note(nil, of: 1)
        #expect(!owned.hasRoom(for: 1) && owned.hasRoom(for: 2))
    }

    @Test("Members that a newer version added to a report are passed over, and an older one has none of them")
    func otherReports() throws {
        let text = #"{"name":"a","id":"b","version":"1","partitions":[1],"through":["7"],"added":{"x":[1]}}"#
        #expect(NodeReport(try JSON.parse(text)) == NodeReport(name: "a", id: "b", version: "1", owned: [1: 7]))
    }

    @Test("A report is read as it was written, and other JSON is refused") func report() throws {
        let report = NodeReport(
            name: "one", id: "one-1", version: "2", owned: [3: .max, 0: 7], takeovers: 4, repeated: 2, alarms: 1,
            isOutdated: true, keys: [[1, 2, 255, 0], [9]],
            resting: [.min: .init(until: .max, reason: "refused"), 7: .init(until: 5, reason: "")])
        #expect(NodeReport(try JSON.parse(report.json.encoded())) == report)
        for text in ["7", "{}", #"{"name":"a","id":"b","version":"1","partitions":[1],"through":[]}"#] {
            #expect(NodeReport(try JSON.parse(text)) == nil)
        }
    }
}
