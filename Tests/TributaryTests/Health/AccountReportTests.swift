import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("The account of events in health reports", .timeLimit(.minutes(30))) struct AccountReportTests {
    /// Renames every event, and another plugin drops those that were `Checkout`.
    private func addPlugins(_ client: Client) {
        client.analytics.add(
            plugin: Recorder(name: "Rename") { event in
                guard var track = event as? TrackEvent else { return event }
                track.event = "new \(track.event)"
                return track
            })
        client.analytics.add(
            plugin: Recorder(name: "Fix") { event in
                (event as? TrackEvent)?.event == "new Checkout" ? nil : event
            })
    }

    @Test("A report says which plugin dropped which events, by the name that the app gave them")
    func drops() async {
        let client = Client(settings: HealthReporterTests.settings)
        addPlugins(client)
        await client.looked(after: 0)
        for number in 0..<60 { client.analytics.track(name: number < 6 ? "Checkout" : "Viewed") }
        await client.processed()
        await client.looked(after: 601)
        let report = client.server.healthReports.first
        #expect(
            report?["account"]?["events"] == [
                ["events": 6, "name": "Checkout", "plugins": ["Fix": 6]], ["events": 54, "name": "Viewed"],
            ])
        #expect(report?["delivery"]?["tracked"] == 60)
    }

    @Test("In all reports of three launches together, tracked events are those that were sent or dropped")
    func balance() async throws {
        let folder = try TemporaryFolder()
        func reports(later: TimeInterval) async -> [JSON] {
            let client = Client(
                time: ManualTime(later: later), folder: folder.url, settings: HealthReporterTests.settings
            ) { $0.flushAt(1_000).flushInterval(0) }
            addPlugins(client)
            await client.looked(after: 0)
            for number in 0..<70 { client.analytics.track(name: number < 6 ? "Checkout" : "Viewed") }
            // Nothing is under way when the client counts, and the next launch sends what is tracked behind that.
            await client.flushed()
            await client.looked(after: 601)
            for _ in 0..<70 { client.analytics.track(name: "Viewed") }
            await client.processed()
            await client.ended()
            return client.server.healthReports
        }
        var all: [JSON] = []
        // Each launch begins too soon after the last report for another one, so it reports behind its deliveries.
        for launch in 0..<3 { all += await reports(later: TimeInterval(launch) * 650) }
        func sum(_ member: String, _ name: String) -> Int {
            all.reduce(0) { $0 + ($1[member]?[name]?.intValue ?? 0) }
        }
        let events = all.flatMap { $0["account"]?["events"]?.elements ?? [] }
        #expect(events.reduce(0) { $0 + ($1["plugins"]?["Fix"]?.intValue ?? 0) } == 18)
        // The last launch reports before it tracks the second half of its events.
        #expect(sum("delivery", "tracked") == 5 * 70)
        #expect(sum("delivery", "uploaded") == 5 * 70 - 18)
        #expect(sum("account", "waiting") == 0)
    }

    // MARK: The version of the app

    private func totals(_ tracked: Int) -> HealthTotals {
        var totals = HealthTotals()
        totals.delivery.tracked = tracked
        return totals
    }

    private func makeReport(_ state: HealthState, version: String?) -> HealthReport? {
        HealthReport(
            state.totals, writeKey: "KEY", instance: "i", number: 1, kind: .regular, seconds: 1,
            app: HealthApp(version: version, counted: state.app, isMixed: state.isMixed))
    }

    private func app(_ state: HealthState, version: String?) throws -> JSON? {
        let report = try #require(makeReport(state, version: version))
        return try JSON.parse(Array(report.text.utf8))["app"]
    }

    @Test("Counts of an earlier version of the app are reported on their own")
    func update() throws {
        var earlier = HealthState()
        earlier.add(totals(5), of: "4.1", at: 0)
        earlier = HealthState(file: earlier.json.encoded())
        var made: [JSON] = []
        earlier.closeEarlier(than: "4.2", at: 9) { state, _, _ in
            let report = makeReport(state, version: "4.2")
            if let text = report?.text, let json = try? JSON.parse(Array(text.utf8)) { made.append(json) }
            return report
        }
        #expect(made.map { $0["app"] } == [["version": "4.2", "counted": "4.1"]])
        #expect(made.map { $0["delivery"] } == [["tracked": 5]])
        #expect(earlier.totals.isEmpty)
        earlier.add(totals(3), of: "4.2", at: 9)
        #expect(try app(earlier, version: "4.2") == ["version": "4.2"])
    }

    @Test("Counts of the same version are not reported before their time")
    func same() {
        var earlier = HealthState()
        earlier.add(totals(5), of: "", at: 0)
        earlier = HealthState(file: earlier.json.encoded())
        earlier.closeEarlier(than: "", at: 9) { _, _, _ in nil }
        #expect(earlier.totals == totals(5))
    }

    @Test("While a report is on its way, counts of two versions are added up, and the next report says so")
    func mixed() throws {
        var state = HealthState()
        state.add(totals(5), of: "4.1", at: 0)
        state.outgoing = makeReport(state, version: "4.1")
        state.closeEarlier(than: "4.2", at: 9) { _, _, _ in nil }
        state.add(totals(3), of: "4.2", at: 9)
        #expect(state.totals.delivery.tracked == 8)
        #expect(
            try app(HealthState(file: state.json.encoded()), version: "4.2") == ["version": "4.2", "isMixed": true])
    }

    @Test("Counts in a file of an earlier version of the library are of an unknown version of the app")
    func earlierLibrary() throws {
        var state = HealthState(file: Array(#"{"format": 1, "totals": {"delivery": {"tracked": 5}}}"#.utf8))
        #expect(state.isMixed)
        state.add(totals(3), of: "4.2", at: 9)
        #expect(try app(state, version: "4.2") == ["version": "4.2", "isMixed": true])
    }
}
