import ClusterTestKit
import Foundation
import HTTPTypes
import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Health reports in a cluster", .timeLimit(.minutes(30))) struct ClusterHealthTests {
    private let changes = MemoryChangeLog()
    private let reports = MemoryEventLog(partitions: 1)
    private let clock = TestClock()
    private let folders: [TemporaryFolder]

    init() throws { folders = try (0..<3).map { _ in try TemporaryFolder() } }

    private func node(_ index: Int, isCoordinator: Bool = false, follows: Bool = true) async throws -> HealthNode {
        try await HealthNode(
            "node-\(index)", folders[index], changes: changes, reports: reports, clock: clock,
            isCoordinator: isCoordinator, follows: follows)
    }

    /// Two nodes with a source; the first one coordinates.
    private func pair() async throws -> (HealthNode, HealthNode) {
        let one = try await node(0, isCoordinator: true)
        _ = try await one.settings.sources.make("WK", name: nil)
        _ = try await one.settings.sources.deploy(
            Data("0".utf8), sha256: "0", signature: nil, percentage: 100, to: "WK")
        let other = try await node(1)
        return (one, other)
    }

    @Test("The page of each node counts the reports of all nodes, and a report that is sent to two of them counts once")
    func sums() async throws {
        let (one, other) = try await pair()
        try await one.report("a", 1)
        try await other.report("b", 1, faulty: 3)
        // The load balancer sends the next report of a device to another node.
        try await other.report("a", 2)
        // The answer was lost, and the device sends its report again.
        try await one.report("a", 2)
        let sums = try await one.sums()
        #expect(sums["delivery"]?["reports"] == 3)
        #expect(sums["versions"]?[0]?["events"] == 300)
        #expect(sums["versions"]?[0]?["faulty"] == 3)
        #expect(sums["cover"]?["isCurrent"] == true)
        #expect(try await other.sums() == sums)
        for node in [one, other] { try await node.stop() }
    }

    @Test("A node that joins late, and one that was away, have the same sums as the others") func late() async throws {
        let (one, other) = try await pair()
        try await one.report("a")
        try await other.report("b")
        #expect(try await other.count() == 2)
        try await other.stop()
        try await one.report("c")
        let third = try await node(2)
        let again = try await node(1)
        try await again.report("d")
        // A report that the others had counted before.
        try await third.report("a")
        let sums = try await one.sums()
        #expect(sums["delivery"]?["reports"] == 4)
        for node in [third, again] { #expect(try await node.sums() == sums) }
        for node in [one, third, again] { try await node.stop() }
    }

    @Test("A node that dies for good takes nothing with it that it acknowledged") func death() async throws {
        let (one, other) = try await pair()
        for device in 0..<10 { try await other.report("d-\(device)") }
        try await other.stop()
        #expect(try await one.count() == 10)
        try await one.stop()
    }

    @Test("Each report is in the metrics of the node that received it, and only there") func metrics() async throws {
        let (one, other) = try await pair()
        try await one.report("a")
        try await other.report("b")
        try await other.report("a")
        for node in [one, other] { #expect(try await node.count() == 2) }
        func text(_ node: HealthNode) -> String { node.metrics.text(waitingRequests: 0, waitingBytes: 0, listeners: 0) }
        #expect(text(one).contains(#"tributary_health_reports_total{outcome="counted"} 1"#))
        #expect(!text(one).contains(#"outcome="repeated""#))
        #expect(text(other).contains(#"tributary_health_reports_total{outcome="counted"} 1"#))
        #expect(text(other).contains(#"tributary_health_reports_total{outcome="repeated"} 1"#))
        #expect(text(other).contains(#"tributary_live_plugin_events_total{source="WK",version="1"} 100"#))
        for node in [one, other] { try await node.stop() }
    }

    // MARK: Roll-outs

    @Test("A roll-out moves on by reports that the coordinating node did not receive") func advance() async throws {
        let (one, other) = try await pair()
        try await one.beginRollout()
        try await other.until { $0.percentage == 10 }
        try await other.report(devices: 0..<20)
        try await other.until { $0.percentage == 50 }
        // The reports of the first stage do not count in the second one.
        try await other.report(devices: 0..<19, 2)
        #expect(try await one.count() == 78)
        try await one.until { $0.reason == "19 of at least 20 devices have reported" }
        // Some devices report to the one node and some to the other.
        try await one.report(devices: 19..<20, 2)
        try await other.until { $0.percentage == 100 }
        for node in [one, other] { try await node.stop() }
    }

    @Test("A worse version is rolled back by reports that the coordinating node did not receive") func rollBack()
        async throws
    {
        let (one, other) = try await pair()
        try await one.beginRollout()
        try await other.until { $0.percentage == 10 }
        try await other.report(devices: 0..<20, faulty: 50)
        #expect(try await other.until { !$0.isOpen }.state == .rolledBack)
        for node in [one, other] { try await node.stop() }
    }

    @Test("A node that coordinates after another one died goes on with the reports of that node") func coordinator()
        async throws
    {
        let (one, other) = try await pair()
        try await one.beginRollout()
        try await other.until { $0.percentage == 10 }
        try await one.report(devices: 0..<19)
        try await one.until { $0.reason == "19 of at least 20 devices have reported" }
        try await one.stop()
        other.setCoordinator(true)
        try await other.report(devices: 19..<20)
        try await other.until { $0.percentage == 50 }
        try await other.stop()
    }

    @Test("A node that joins in a later stage, and coordinates, counts no report of an earlier stage in it")
    func laterStage() async throws {
        let (one, other) = try await pair()
        try await one.beginRollout()
        try await other.until { $0.percentage == 10 }
        try await other.report(devices: 0..<20)
        try await one.until { $0.percentage == 50 }
        try await one.report(devices: 0..<5, 2)
        #expect(try await other.count() == 50)
        for node in [one, other] { try await node.stop() }
        let third = try await node(2, isCoordinator: true)
        #expect(try await third.count() == 50)
        // It has looked at the roll-out when it has added up some time.
        clock.advance(by: 60_000)
        let looked = try await third.until { $0.progress.held > 0 }
        #expect(looked.percentage == 50)
        #expect(looked.reason == "5 of at least 20 devices have reported")
        try await third.report(devices: 5..<20, 2)
        try await third.until { $0.percentage == 100 }
        try await third.stop()
    }

    @Test("A node that has not counted all reports decides nothing") func behind() async throws {
        let (one, other) = try await pair()
        try await one.beginRollout()
        try await other.until { $0.percentage == 10 }
        try await one.stop()
        try await other.stop()
        let again = try await node(1)
        try await again.report(devices: 0..<20, faulty: 50)
        try await again.stop()
        await reports.setAway(true)
        let coordinator = try await node(0, isCoordinator: true)
        for _ in 0..<20 {
            #expect(try await coordinator.count(patience: .milliseconds(1)) == 0)
            #expect(try await coordinator.until { _ in true }.percentage == 10)
        }
        await reports.setAway(false)
        #expect(try await coordinator.until { !$0.isOpen }.state == .rolledBack)
        try await coordinator.stop()
    }

    // MARK: When the log fails

    @Test("While the log is away, devices are asked to send again, and the page says that it may lack reports")
    func away()
        async throws
    {
        let (one, other) = try await pair()
        try await one.report("a")
        #expect(try await other.count() == 1)
        await reports.setAway(true)
        let refusal = await #expect(throws: Refusal.self) { try await one.report("b") }
        #expect(refusal?.status == .serviceUnavailable)
        let sums = try await other.sums()
        #expect(sums["delivery"]?["reports"] == 1)
        #expect(sums["cover"]?["isCurrent"] == false)
        await reports.setAway(false)
        // The log takes the report, and its answer is lost.
        await reports.setLosesAnswers(true)
        await #expect(throws: Refusal.self) { try await one.report("b") }
        await reports.setLosesAnswers(false)
        try await other.report("b")
        for node in [one, other] { #expect(try await node.count() == 2) }
        #expect(try await other.sums()["cover"]?["isCurrent"] == true)
        for node in [one, other] { try await node.stop() }
    }

    @Test("A node says since when it has all reports, when the log does not have the earlier ones any more")
    func dropped() async throws {
        let (one, other) = try await pair()
        try await one.report("a")
        #expect(try await other.count() == 1)
        try await other.stop()
        clock.advance(by: 60_000)
        try await one.report("b")
        #expect(try await one.count() == 2)
        await reports.trim(0, through: 2)
        clock.advance(by: 60_000)
        let since = ISO8601.string(milliseconds: clock.now)
        try await one.report("c")
        #expect(try await one.count() == 3)
        let joined = [try await node(1), try await node(2)]
        for node in joined {
            #expect(try await node.sums()["cover"]?["since"]?.stringValue == since)
            try await node.stop()
        }
        #expect(try await one.sums()["cover"]?["since"]?.stringValue != since)
        try await one.stop()
    }

    @Test("When the log was deleted and made again, or lost records, later reports count")
    func lostLog() async throws {
        let (one, other) = try await pair()
        for device in ["a", "b", "c"] { try await one.report(device) }
        for node in [one, other] { #expect(try await node.count() == 3) }
        await reports.replace()
        try await one.report("d")
        for node in [one, other] { #expect(try await node.count() == 4) }
        await reports.cut(0, behind: 0)
        // Both find out, look again for some time, and go on. The page shows a day, so the clock goes on slowly.
        for node in [one, other] {
            while await node.health.progress.place > 0 {
                clock.advance(by: 100)
                _ = try await node.count(patience: .zero)
            }
        }
        try await other.report("e")
        for node in [one, other] {
            #expect(try await node.count() == 5)
            try await node.stop()
        }
    }

    @Test("Reports of a source that a node does not know yet wait until it has applied the settings") func settings()
        async throws
    {
        let one = try await node(0, isCoordinator: true)
        let other = try await node(1, follows: false)
        _ = try await one.settings.sources.make("WK", name: nil)
        try await one.report("a")
        #expect(try await one.count() == 1)
        let standing = try await reports.standing(of: 0)
        #expect(await !other.health.progress.reach(standing, within: .milliseconds(50)))
        await other.settings.look()
        #expect(try await other.count() == 1)
        for node in [one, other] { try await node.stop() }
    }

    @Test("A record that cannot be read is left out, and one of a newer version is waited for") func records()
        async throws
    {
        let (one, other) = try await pair()
        try await reports.append([1, 2, 3], id: "garbage", to: 0)
        try await one.report("a")
        #expect(try await other.count() == 1)
        try await reports.append([2, 2, 3], id: "newer", to: 0)
        try await one.report("b")
        let sums = try await other.sums(patience: .milliseconds(50))
        #expect(sums["delivery"]?["reports"] == 1)
        #expect(sums["cover"]?["isCurrent"] == false)
        for node in [one, other] { try await node.stop() }
    }
}
