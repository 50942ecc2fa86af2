import Testing
import TributaryJSON

@testable import Tributary

@Suite("Counts of events by name, and of those kept from the server") struct EventLossesTests {
    private func sum(_ losses: EventLosses) -> (events: Int, dropped: Int) {
        losses.counts.values.reduce((0, 0)) { ($0.0 + $1.events, $0.1 + $1.dropped) }
    }

    @Test("Events beyond the names with counts of their own are counted together")
    func bounded() {
        var losses = EventLosses()
        for number in 0..<100 {
            losses.count("Event \(number)") { counts in
                counts.events += 3
                for plugin in 0..<20 { counts.drop(plugin: "Plugin \(plugin)") }
            }
        }
        #expect(losses.counts.count == EventLosses.names + 1)
        #expect(losses.counts.values.allSatisfy { $0.plugins.count <= EventLosses.droppers + 1 })
        #expect(sum(losses) == (300, 2000))
        var twice = losses
        twice.add(losses)
        #expect(sum(twice) == (600, 4000))
        #expect(twice.counts.count == losses.counts.count)
    }

    @Test("Names without drops are left out first, and no sum changes")
    func leftOut() {
        var losses = EventLosses()
        losses.count("Often") { $0.events = 90 }
        losses.count("Seldom") { $0.events = 2 }
        losses.count("Lost") { counts in
            counts.events = 1
            counts.drop(rule: "no tests")
        }
        var names: [[String]] = []
        while losses.leaveOut(evenWithDrops: false) { names.append(losses.counts.keys.sorted()) }
        #expect(names == [["", "Lost", "Often"], ["", "Lost"]])
        let couldGo = [losses.leaveOut(evenWithDrops: true), losses.leaveOut(evenWithDrops: true)]
        #expect(couldGo == [true, false])
        #expect(losses.counts[""]?.rules == ["no tests": 1])
        #expect(sum(losses) == (93, 1))
    }

    @Test("A report of many names has at most 2 KB, and all of their events")
    func report() throws {
        var totals = HealthTotals()
        for number in 0..<EventLosses.names {
            totals.account.losses.count("\(number)" + String(repeating: "é", count: 200)) { counts in
                counts.events = 10
                for plugin in 0..<6 { counts.drop(plugin: "\(plugin)" + String(repeating: "ü", count: 200)) }
            }
        }
        let report = try #require(
            HealthReport(totals, writeKey: "KEY", instance: "i", number: 1, kind: .regular, seconds: 600))
        #expect(report.text.utf8.count <= HealthReport.bytes)
        let events = try JSON.parse(Array(report.text.utf8))["account"]?["events"]?.elements ?? []
        #expect(events.reduce(0) { $0 + ($1["events"]?.intValue ?? 0) } == 160)
        let plugins = events.flatMap { $0["plugins"]?.objectValue?.map { $0.value.intValue ?? 0 } ?? [] }
        #expect(plugins.reduce(0, +) == 96)
    }
}
