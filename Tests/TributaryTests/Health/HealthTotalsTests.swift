import Testing
import TributaryJSON

@testable import Tributary

@Suite("What health reports hold") struct HealthTotalsTests {
    private func report(_ totals: HealthTotals) throws -> JSON {
        let report = try #require(
            HealthReport(totals, writeKey: "KEY", instance: "i", number: 3, kind: .regular, seconds: 600))
        #expect(report.text.utf8.count <= HealthReport.bytes)
        return try JSON.parse([UInt8](report.text.utf8))
    }

    private func version(_ name: String, plugins: Int, nameLength: Int = 4) -> VersionHealth {
        var version = VersionHealth(version: name)
        version.events = 100
        version.count(nanoseconds: 250_000)
        for number in 0..<plugins {
            version.count("\(number)" + String(repeating: "é", count: nameLength)) { $0.seen = 10 + number }
        }
        return version
    }

    private func filters(_ name: String, destinations: Int) -> FilterHealth {
        var filters = FilterHealth(version: name)
        for number in 0..<destinations {
            filters.count(for: "Destination \(number)")
            filters.count("Destination \(number)") { counts in
                counts.events = 100 + number
                counts.dropped = 4
            }
        }
        filters.problems = 1
        return filters
    }

    private func faulty(_ name: String) -> VersionHealth {
        var version = version(name, plugins: 1)
        version.count("Broken") { plugin in
            plugin.seen = 5
            plugin.faults = 2
            plugin.first = FaultNote(
                message: String(repeating: "it cannot be ", count: 100), file: "livePlugin-1.js", line: 7,
                event: "Order")
        }
        return version
    }

    @Test("Counts survive the way into a file and back")
    func file() throws {
        var totals = HealthTotals()
        var version = faulty("7")
        version.count(.quarantined)
        version.made = 4
        totals.add(version)
        totals.count("Amplitude") { $0.stuck = 1 }
        totals.add(filters("12", destinations: 2))
        totals.delivery.lost["bytes_bound"] = 5
        var state = HealthState()
        totals.account.waiting = -3
        totals.account.losses.count("Order") { counts in
            counts.events = 9
            counts.drop(2, plugin: "Fix")
            counts.drop(rule: "no tests")
        }
        state.add(totals, of: "4.2", at: 5)
        state.schedule.refusedAt = 9
        state.outgoing = HealthReport(totals, writeKey: "KEY", instance: "i", number: 1, kind: .early, seconds: 1)
        #expect(HealthState(file: state.json.encoded()) == state)
        #expect(HealthState(file: [1, 2, 3]) == HealthState())
    }

    @Test("A report of many plugins and destinations has at most 2 KB, keeps faults, and says how much was left out")
    func bounded() throws {
        var totals = HealthTotals()
        for number in 0..<9 { totals.add(version("\(number)", plugins: 50, nameLength: 500)) }
        totals.add(faulty("9"))
        for number in 0..<3 { totals.add(filters("\(number)", destinations: 40)) }
        for number in 0..<40 { totals.count("Destination \(number)") { $0.delivered = 1 } }
        for number in 0..<200 { totals.delivery.lost["a reason \(number)"] = 1 }
        let json = try report(totals)
        let last = try #require(json["versions"]?.elements?.last)
        #expect(last["version"] == "9")
        let broken = try #require(last["plugins"]?.elements?.first { $0["name"] == "Broken" })
        #expect(broken["fault"]?["line"] == 7)
        let message = try #require(broken["fault"]?["message"]?.stringValue)
        #expect(message.utf8.count <= 160)
        #expect(json["leftOut"]?["destinations"] == 40)
        #expect(json["leftOut"]?["versions"]?.intValue ?? 0 >= 6)
        #expect(json["delivery"]?["lost"] == ["other": 200])
    }

    @Test("A report says the version of the app, and what it allows to scripts when it restricts them") func app()
        throws
    {
        var totals = HealthTotals()
        totals.add(version("1", plugins: 1))
        func app(_ version: String?, _ allows: [String]?) throws -> JSON? {
            let report = try #require(
                HealthReport(
                    totals, writeKey: "KEY", instance: "i", number: 1, kind: .regular, seconds: 600,
                    app: HealthApp(version: version, allows: allows)))
            return try JSON.parse(Array(report.text.utf8))["app"]
        }
        #expect(
            try app("5.1.0", ["rename", "drop Debug*"]) == ["version": "5.1.0", "allows": ["rename", "drop Debug*"]])
        #expect(try app("5.1.0", nil) == ["version": "5.1.0"])
        #expect(try app(nil, []) == ["allows": []])
        #expect(try app(nil, nil) == nil)
    }

    @Test("Permissions that do not fit into a report are left out, and the report says so")
    func manyPermissions() throws {
        var totals = HealthTotals()
        for number in 0..<9 { totals.add(version("\(number)", plugins: 50, nameLength: 500)) }
        let report = try #require(
            HealthReport(
                totals, writeKey: "KEY", instance: "i", number: 1, kind: .regular, seconds: 600,
                app: HealthApp(
                    version: String(repeating: "5.1", count: 50),
                    allows: (0..<500).map { "change properties.\($0)" } + [String(repeating: "x", count: 900)])))
        #expect(report.text.utf8.count <= HealthReport.bytes)
        let app = try #require(try JSON.parse(Array(report.text.utf8))["app"])
        #expect(app["isCut"] == true)
        #expect(app["allows"]?[0] == "change properties.0")
        #expect(app["allows"]?.elements?.count ?? 0 < 41)
        #expect(app["version"]?.stringValue?.utf8.count ?? 0 <= 40)
    }

    @Test("A usual report has all of its plugins")
    func usual() throws {
        var totals = HealthTotals()
        totals.add(version("1", plugins: 3))
        totals.count("Amplitude") { $0.filtered = 2 }
        let json = try report(totals)
        #expect(json["versions"]?.elements?.first?["plugins"]?.elements?.count == 3)
        #expect(json["versions"]?.elements?.first?["times"] == [0, 1, 0, 0, 0, 0, 0, 0])
        #expect(json["destinations"] == [["filtered": 2, "key": "Amplitude"]])
        #expect(json["leftOut"] == nil)
        #expect(json["number"] == 3)
    }

    @Test("The client's counters become changes since the last time")
    func counters() {
        var before = EventCounters()
        before.delivered = ["Amplitude": 4]
        var now = before
        now.delivered = ["Amplitude": 6, "Mixpanel": 1]
        now.droppedByFilter = [.init(by: "rule", destination: "Amplitude"): 3]
        now.droppedByPlugin = [.init(by: "Sampling", destination: nil): 2]
        now.tracked = 9
        let totals = HealthTotals(now, since: before, stuck: ["Mixpanel": 1], waiting: 12)
        #expect(totals.destinations["Amplitude"]?.delivered == 2)
        #expect(totals.destinations["Amplitude"]?.filtered == 3)
        #expect(totals.destinations["Mixpanel"]?.stuck == 1)
        #expect(totals.delivery.dropped == 2)
        #expect(totals.delivery.waiting == 12)
        #expect(HealthTotals(now, since: now, stuck: [:], waiting: 12).isEmpty)
    }
}
