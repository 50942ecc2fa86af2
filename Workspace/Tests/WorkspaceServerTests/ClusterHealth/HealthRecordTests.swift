import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Records of the log of health reports") struct HealthRecordTests {
    private let settings = AppliedChange(incarnation: "log", place: 7)

    private func report(_ device: UInt64) throws -> SourceReport {
        var sums = HealthSums()
        sums.counts["events"] = 12
        sums.counts["reports"] = 1
        sums.kinds["quarantined"] = 1
        sums.addTimes([3, 4], atMost: 9)
        var counts = HealthCounts()
        counts["faults"] = 2
        sums.count("Fix", counts)
        sums.count(try #require(ReportedFault(["message": "no price for …", "line": 4], plugin: "Fix")), times: 2)
        var report = SourceReport(
            source: .max, device: device, number: .max, isEarly: true, receivedAt: 1_700_000_000_000,
            sums: ["": HealthSums(), "3": sums, "filters other": sums],
            health: [
                .livePlugins: [3: DeviceHealth(events: 12, faulty: 1, dropped: 2, microseconds: 400, isBroken: true)],
                .filters: [
                    0: DeviceHealth(events: 9, destinations: ["Amplitude": FilteredCounts(events: 9, dropped: 3)])
                ],
            ])
        let plan = try RolloutPlan(stages: [10, 100], hold: 0)
        var rollout = RolloutRecord(source: .max, kind: .filters, version: 3, previous: 2, plan: plan, now: 5)
        rollout.carryOut(.advance(to: 100))
        report.stages = [.filters: RolloutStage(rollout)]
        report.app = ReportedApp(version: "5.1.0", allows: ["rename"], isCut: true)
        report.heard = HeardSettings(stop: 3, interval: 300)
        return report
    }

    @Test("A record is read as it was written") func roundTrip() throws {
        let reports = [try report(0), try report(.max)]
        let records = try HealthRecord.records(reports, of: "node", settings: settings)
        #expect(records.map(\.count) == [2])
        let read = try HealthRecord.read(try #require(records.first).bytes)
        #expect(read == HealthRecord(node: "node", settings: settings, reports: reports))
    }

    @Test("Many reports are in several records, each in one of them and in order") func many() throws {
        let reports = try (0..<3_000).map { try report($0) }
        let records = try HealthRecord.records(reports, of: "node", settings: settings)
        #expect(records.count > 1)
        #expect(records.map(\.count).reduce(0, +) == 3_000)
        let read = try records.flatMap { try HealthRecord.read($0.bytes)?.reports ?? [] }
        #expect(read.map(\.device) == reports.map(\.device))
        for record in records { #expect(record.bytes.count < 1 << 20) }
    }

    @Test(
        "What is no record says so, and a newer one is not taken for none",
        arguments: [[], [1], [1, 0x1F, 0x8B], [0, 9]] as [[UInt8]])
    func garbage(_ bytes: [UInt8]) throws {
        #expect(try HealthRecord.read(bytes) == nil)
        #expect(throws: LogError.self) { try HealthRecord.read([2] + bytes) }
    }

    @Test("A record that unpacks to very much is none") func bomb() throws {
        let text = try GzipText()
        for _ in 0..<64 { try text.append([UInt8](repeating: 32, count: 1 << 20)) }
        #expect(try HealthRecord.read([1] + text.finished()) == nil)
    }
}
