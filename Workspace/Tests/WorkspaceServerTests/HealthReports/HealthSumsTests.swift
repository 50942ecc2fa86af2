import Foundation
import HTTPTypes
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Sums of health reports", .timeLimit(.minutes(30))) struct HealthSumsTests {
    @Test("Impossible numbers of a report are cut to possible numbers, and no sum overflows")
    func cutOff() throws {
        let text = """
            {"instanceId":"i","number":9223372036854775807,"versions":[{"version":"1","events":10,"faulty":99,"dropped":-4,
            "microseconds":9223372036854775807,"times":[9223372036854775807,-1,1e300,"x"],"invented":7}]}
            """
        let report = try DeviceReport(Array(text.utf8))
        let version = try #require(report.versions.first)
        #expect(version.health == DeviceHealth(events: 10, faulty: 10, microseconds: 10_000_000))
        #expect(version.sums.counts["faulty"] == 10)
        #expect(version.sums.counts["dropped"] == 0)
        #expect(version.sums.counts["invented"] == 0)
        var sums = HealthSums()
        for _ in 0..<100 { sums.add(version.sums) }
        #expect(sums.counts["reports"] == 100)
        #expect(sums.counts["events"] == 1000)
    }

    @Test("The report in the guide is read")
    func guide() throws {
        let file = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../../docs/guides/live-plugins.md").standardizedFileURL
        let guide = try String(contentsOf: file, encoding: .utf8)
        let example = try #require(
            guide.components(separatedBy: "```json report\n").last?.components(separatedBy: "```").first)
        let report = try DeviceReport(Array(example.utf8))
        #expect(report.number == 3)
        #expect(report.versions.first?.health == DeviceHealth(events: 65, faulty: 3, dropped: 1, microseconds: 20_150))
        #expect(report.versions.first?.sums.parts["Fix"]?["seen"] == 65)
        #expect(report.delivery.parts["Amplitude"]?["filtered"] == 4)
        #expect(report.app == ReportedApp(version: "5.1.0", allows: ["drop Debug*", "rename"]))
    }

    @Test(
        "An invalid report is refused with the reason",
        arguments: [
            "", "[]", "{}", #"{"instanceId":"","number":1}"#, #"{"instanceId":"i"}"#, #"{"instanceId":"i","number":0}"#,
            #"{"instanceId":"i","number":1,"versions":{}}"#, #"{"instanceId":"i","number":1,"versions":[{}]}"#,
            #"{"instanceId":"i","number":1,"versions":[{"version":"1","plugins":[{"seen":1}]}]}"#,
            #"{"instanceId":"i","number":1,"versions":["# + String(repeating: #"{"version":"1"},"#, count: 9) + "1]}",
            #"{"instanceId":"i","number":1,"x":"# + String(repeating: "[", count: 20)
                + String(repeating: "]", count: 20)
                + "}",
        ])
    func refused(text: String) {
        #expect(throws: Refusal.self) { try DeviceReport(Array(text.utf8)) }
    }

    @Test("Millions of names and faults make no more than a few kilobytes, and a real fault stays")
    func bounded() throws {
        var sums = HealthSums()
        let real = try #require(ReportedFault(["message": "no price", "line": 4], plugin: "Fix"))
        for number in 0..<20_000 {
            var counts = HealthCounts()
            counts["seen"] = 1
            sums.count("plugin \(number)", counts)
            if number % 100 == 0 { sums.count(real) }
            if let fault = ReportedFault(["message": .string("invented \(number)")], plugin: "Fix") {
                sums.count(fault)
            }
        }
        #expect(sums.parts.count <= HealthSums.mostParts + 1)
        #expect(sums.parts.values.reduce(0) { $0 + $1["seen"] } == 20_000)
        #expect(sums.faults.count == HealthSums.mostFaults)
        #expect(sums.faults[real] == 200)
        #expect(sums.json.encoded().count < 4096)
        #expect(HealthSums(sums.json) == sums)
    }

    @Test("Names that are not in the bundle are not listed")
    func inventedNames() throws {
        let names = BundleNames(of: Array("class Fix extends LivePlugin {}; class Größe {}".utf8))
        #expect(names.contains("Fix") && names.contains("Größe") && names.contains("processSignal"))
        #expect(!names.contains("Fi") && !names.contains("Invented") && !names.contains(""))
        let text = """
            {"instanceId":"i","number":1,"versions":[{"version":"1","events":3,"plugins":[{"name":"Fix","seen":3},
            {"name":"Evil","seen":2,"fault":{"message":"buy this"}},{"name":"Evil 2","seen":1}]}]}
            """
        let version = try #require(try DeviceReport(Array(text.utf8)).versions.first)
        let sums = version.sums(where: names.contains)
        #expect(sums.parts.keys.sorted() == ["", "Fix"])
        #expect(sums.parts[""]?["seen"] == 3)
        #expect(sums.faults.isEmpty)
        #expect(sums.counts == version.sums.counts)
    }

    @Test("Words of tables are no names of plugins, and leave room for those of the script")
    func namesBesideTables() throws {
        let entries = (0..<Limits.namesInBundle).map { "\"k\($0)\":1" }.joined(separator: ",")
        let text = "\(BundleNames.tables){}*/f('{\"sku\":{\(entries)}}');\nclass Fix extends LivePlugin {}"
        let names = BundleNames(of: Array(text.utf8))
        #expect(names.contains("Fix") && !names.contains("k7") && !names.contains("sku"))
        #expect(!BundleNames(of: Array("\(BundleNames.tables)class Fix".utf8)).contains("Fix"))
    }

    @Test("Waiting reports of one source are limited, and other sources have room")
    func line() async throws {
        let folder = try TemporaryFolder()
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK", "OTHER"], now: 1)
        let sources = try store.sources()
        let inbox = HealthInbox()
        let report = try DeviceReport(Array(#"{"instanceId":"i","number":1}"#.utf8))
        let statuses = await withTaskGroup(of: Int.self) { group in
            let total = Limits.waitingReportsOfSource + 50
            for _ in 0..<total { group.addTask { await Self.store(report, sources[0], inbox) } }
            var refused = 0
            for _ in 0..<50 where await group.next() == 429 { refused += 1 }
            // The other reports still wait, so only another source has room.
            group.addTask { await Self.store(report, sources[1], inbox) }
            while inbox.count <= Limits.waitingReportsOfSource { await Task.yield() }
            inbox.close()
            var stopped = 0
            for await status in group where status == 503 { stopped += 1 }
            return [refused, stopped]
        }
        #expect(statuses == [50, Limits.waitingReportsOfSource + 1])
        #expect(await Self.store(report, sources[0], inbox) == 503)
        try store.close()
    }

    private static func store(_ report: DeviceReport, _ source: Source, _ inbox: HealthInbox) async -> Int {
        do {
            try await inbox.store(report, of: source, receivedAt: 1)
            return 200
        } catch {
            return (error as? Refusal).map { Int($0.status.code) } ?? 0
        }
    }
}
