import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

@Suite("Staged filters", .timeLimit(.minutes(30))) struct FilterRolloutTests {
    private static func drop(_ event: String, for destination: String) -> JSON {
        [
            "name": "drop", "destinationName": .string(destination),
            "matchers": [["type": "fql", "ir": .string("[\"=\",\"event\",{\"value\":\"\(event)\"}]")]],
            "transformers": [[["type": "drop"]]],
        ]
    }

    private static func settings(staged: JSON, percentage: JSON = 100) -> JSON {
        [
            "integrations": ["A": true], "healthReports": ["sampleRate": 1],
            "middlewareSettings": [
                "routingRules": [drop("Old", for: "Segment.io")], "version": 6,
                "staged": ["version": 7, "percentage": percentage, "routingRules": staged],
            ],
        ]
    }

    private func client(_ settings: JSON, device: String = "device-2") -> Client {
        let server = TestServer()
        server.answerSettings(settings)
        let client = Client(server: server, folder: nil) { $0.anonymousIdGenerator { device } }
        client.analytics.add(plugin: DestinationFilters())
        return client
    }

    @Test("A device inside the percentage applies the staged rules, another one the rules for all")
    func chosen() {
        func version(_ percentage: JSON, _ device: String?) -> Int? {
            FilterReference(Self.settings(staged: [], percentage: percentage)["middlewareSettings"], device: device)
                .version
        }
        #expect(version(100, "d") == 7)
        #expect(version(0, "d") == 6)
        #expect(version(100, nil) == 6)
        #expect(version("all", "d") == 6)
        let share = (0..<1_000).count { version(30, "device-\($0)") == 7 }
        #expect((250...350).contains(share))
    }

    @Test("Staged rules that cannot be read leave the rules for all in effect", arguments: [7, JSON.null, "x"])
    func unreadable(rules: JSON) {
        let reference = FilterReference(Self.settings(staged: rules)["middlewareSettings"], device: "d")
        #expect(reference.version == 6)
        #expect(reference.rules == [Self.drop("Old", for: "Segment.io")])
        #expect(FilterReference(["staged": 1], device: "d") == FilterReference(nil, device: nil))
    }

    @Test(
        "Client and workspace choose the same devices for staged rules, and other devices than for a bundle of the same version"
    )
    func golden() {
        func chosen(_ kind: RolloutShare.Kind) -> [Int] {
            (0..<20).filter { RolloutShare.has("device-\($0)", of: kind, version: 7, percentage: 30) }
        }
        #expect(chosen(.filters) == [2, 3, 10, 16, 17, 18, 19])
        #expect(chosen(.livePlugins) == [2, 3, 4, 6, 7, 8, 9, 13, 16, 17, 18])
    }

    @Test("A client decides with its anonymous id, and applies the rules of its version", arguments: [true, false])
    func applied(isChosen: Bool) async {
        let staged: JSON = [Self.drop("New", for: "Segment.io")]
        let client = client(
            Self.settings(staged: staged, percentage: 30), device: isChosen ? "device-2" : "device-5")
        client.analytics.track(name: "Old")
        client.analytics.track(name: "New")
        await client.flushed()
        #expect(client.server.names == [isChosen ? "Old" : "New"])
        await client.ended()
    }

    @Test("A report says what the rules did for each destination, also where only the other version has rules")
    func report() async {
        let staged: JSON = [Self.drop("New", for: "Segment.io"), Self.drop("New", for: "A")]
        let client = client(Self.settings(staged: staged, percentage: 0))
        client.analytics.add(plugin: TestDestination("A"))
        for number in 0..<60 { client.analytics.track(name: number % 10 == 0 ? "Old" : "Other") }
        await client.processed()
        await client.looked(after: 601)
        let filters = client.server.healthReports.first?["filters"]
        #expect(
            filters == [
                [
                    "version": "6",
                    "destinations": [["events": 60, "key": "A"], ["events": 60, "dropped": 6, "key": "Segment.io"]],
                ]
            ])
        await client.ended()
    }

    @Test("A report says when events came to the rules before the client had its first bundle of live plugins")
    func beforePlugins() async {
        let client = client(Self.settings(staged: []))
        client.analytics.add(plugin: LivePlugins(fallbackFileURL: nil))
        await client.refreshed()
        for _ in 0..<30 { client.analytics.track(name: "Other") }
        await client.processed()
        var settings = Deployment.settings(version: 1)
        for (name, value) in Self.settings(staged: []).objectValue ?? [:] { settings[name] = value }
        client.server.answerBundle(Deployment.stamp(1))
        client.server.answerSettings(settings)
        await client.refreshed()
        await client.reported(text: "version 1 runs")
        for _ in 0..<30 { client.analytics.track(name: "Other") }
        await client.processed()
        await client.looked(after: 601)
        for _ in 0..<60 { client.analytics.track(name: "Other") }
        await client.processed()
        await client.looked(after: 601)
        let versions = client.server.healthReports.map { $0["filters"]?[0] }
        #expect(versions.count == 2)
        #expect(versions.first??["isBeforePlugins"] == true)
        #expect(versions.last??["destinations"]?[0]?["events"] == 60)
        #expect(versions.last??["isBeforePlugins"] == nil)
        await client.ended()
    }

    @Test("The first event on which a rule fails is reported at once, without its content")
    func fault() async {
        let failing: JSON = [
            "destinationName": "Segment.io", "matchers": [["type": "all"]],
            "transformers": [[["type": "map_properties", "config": ["map": ["properties.mail.x": ["set": true]]]]]],
        ]
        let client = client(Self.settings(staged: [failing]))
        client.analytics.track(name: "Order", properties: ["mail": JSON.null])
        client.analytics.track(name: "Order", properties: ["mail": JSON.null])
        await client.processed()
        await client.reportedHealth()
        #expect(client.server.healthReports.count == 1)
        let report = client.server.healthReports.first
        #expect(report?["isEarly"] == true)
        let version = report?["filters"]?.elements?.first
        #expect(version?["version"] == "7")
        #expect(version?["fault"]?["message"] == "rule 0 could not do all its work")
        #expect(version?["fault"]?["destination"] == "Segment.io")
        #expect(version?["fault"]?["event"] == "Order")
        await client.ended()
    }

    @Test("Rules that this device cannot read are reported at once, and once when no event comes")
    func problems() async {
        let client = client(Self.settings(staged: [["destinationName": "Segment.io", "matchers": 7]]))
        await client.processed()
        await client.reportedHealth()
        #expect(client.server.healthReports.count == 1)
        #expect((client.server.healthReports.first?["filters"]?[0]?["problems"]?.intValue ?? 0) > 0)
        await client.looked(after: 90_000)
        #expect(client.server.healthReports.count == 1)
        await client.ended()
    }

    @Test("A server that does not number its rules gets no counts of them")
    func withoutVersion() async {
        var settings = Self.settings(staged: [])
        settings["middlewareSettings"] = ["routingRules": [Self.drop("Old", for: "Segment.io")]]
        let client = client(settings)
        for _ in 0..<60 { client.analytics.track(name: "Other") }
        await client.processed()
        await client.looked(after: 601)
        #expect(client.server.healthReports.count == 1)
        #expect(client.server.healthReports.first?["filters"] == nil)
        await client.ended()
    }
}
