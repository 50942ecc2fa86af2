import Testing

@testable import ClusterTestKit
@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The time of takeovers") struct TakeoverClockTests {
    private func place(_ owner: String, through: UInt64) -> PartitionLease {
        PartitionLease(owner: owner, incarnation: "log", through: through)
    }

    @Test("A takeover begins with the loss of the owner, and ends when another one has stored something")
    func takeover() {
        var clock = TakeoverClock()
        clock.see(place("a-1", through: 5), of: 0, at: 0)
        clock.see(place("b-1", through: 5), of: 1, at: 0)
        clock.lose("a-", at: 100)
        #expect(clock.waiting == 1)
        clock.see(place("b-1", through: 9), of: 1, at: 150)
        clock.see(place("c-1", through: 5), of: 0, at: 4_000)
        #expect(clock.takeovers.isEmpty)
        clock.see(place("c-1", through: 6), of: 0, at: 4_600)
        #expect(clock.takeovers == [.init(partition: 0, owner: "a-1", began: 100, ended: 4_600)])
        #expect(clock.waiting == 0)
        clock.see(place("c-1", through: 7), of: 0, at: 5_000)
        #expect(clock.takeovers.count == 1)
    }

    @Test("A change that the lost owner sent before its end is not a takeover") func lastChange() {
        var clock = TakeoverClock()
        clock.see(place("a-1", through: 5), of: 0, at: 0)
        clock.lose("a-", at: 100)
        clock.see(place("a-1", through: 8), of: 0, at: 110)
        clock.see(place("b-1", through: 8), of: 0, at: 4_000)
        #expect(clock.waiting == 1)
        clock.see(place("b-1", through: 9), of: 0, at: 4_500)
        #expect(clock.takeovers.map(\.milliseconds) == [4_400])
    }

    @Test("When the next owner is lost before it stored something, the takeover goes on") func twoLosses() {
        var clock = TakeoverClock()
        clock.see(place("a-1", through: 5), of: 0, at: 0)
        clock.lose("a-", at: 100)
        clock.see(place("b-1", through: 5), of: 0, at: 4_000)
        clock.lose("b-", at: 4_100)
        clock.see(place("a-2", through: 6), of: 0, at: 9_000)
        #expect(clock.takeovers == [.init(partition: 0, owner: "a-1", began: 100, ended: 9_000)])
    }

    @Test("An owner that goes on and stores something was not replaced") func goesOn() {
        var clock = TakeoverClock()
        clock.see(place("a-1", through: 5), of: 0, at: 0)
        clock.lose("a-", at: 100)
        clock.goOn("a-")
        clock.see(place("a-1", through: 6), of: 0, at: 3_000)
        #expect(clock.takeovers.isEmpty)
        #expect(clock.waiting == 0)
    }

    @Test("An owner that goes on and was replaced does not end the takeover") func goesOnLate() {
        var clock = TakeoverClock()
        clock.see(place("a-1", through: 5), of: 0, at: 0)
        clock.lose("a-", at: 100)
        clock.see(place("b-1", through: 5), of: 0, at: 5_000)
        clock.goOn("a-")
        clock.see(place("b-1", through: 6), of: 0, at: 7_000)
        #expect(clock.takeovers.map(\.milliseconds) == [6_900])
    }
}
