import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

@Suite("Versions that run beside the present one as a shadow", .timeLimit(.minutes(30)))
struct ShadowVersionTests {
    /// The settings with version 1 for all, and a shadow.
    private static func settings(shadow version: Int? = 2, percentage: Int = 100, url: String = Deployment.url) -> JSON
    {
        var settings = Deployment.settings(version: 1, url: url)
        settings["healthReports"] = ["sampleRate": 1]
        if let version {
            settings["edgeFunction"]?["shadow"] = [
                "version": .number(JSONNumber(version)), "percentage": .number(JSONNumber(percentage)),
                "downloadURL": .string("http://server.test/v1/projects/KEY/live-plugins/\(version).js"),
            ]
        }
        return settings
    }

    /// A script with one plugin for track events.
    private static func plugin(_ body: String, type: String = "enrichment", name: String = "Fix") -> String {
        """
        class \(name) extends LivePlugin {
            track(event) { \(body); return event }
        }
        analytics.add(new \(name)(LivePluginType.\(type)))

        """
    }

    private func client(
        _ present: String, shadow: String, settings: JSON = Self.settings(), plugin: LivePlugins? = nil,
        folder: URL? = nil
    ) async -> Client {
        let server = TestServer()
        server.answerSettings(settings)
        server.answerBundle(present, ofVersion: 1)
        server.answerBundle(shadow, ofVersion: 2)
        let client = Client(server: server, folder: folder)
        client.analytics.add(plugin: plugin ?? LivePlugins(fallbackFileURL: nil))
        return client
    }

    /// The first report about shadows after the client has tracked events.
    private func report(_ client: Client, _ track: () -> Void) async -> JSON? {
        await client.reported(text: "version 2 runs as a shadow")
        track()
        await client.flushed()
        await client.looked(after: 601)
        return client.server.healthReports.compactMap { $0["shadows"]?.elements?.first }.first
    }

    private func differences(_ report: JSON?) -> [String: Int] {
        (report?["differences"]?.elements ?? []).reduce(into: [:]) { counts, difference in
            let parts = ["kind", "event", "field"].compactMap { difference[$0]?.stringValue }
            counts[parts.joined(separator: ":")] = difference["count"]?.intValue
        }
    }

    @Test("No event is touched, and a report says how many would differ in which field")
    func differences() async {
        let present = Self.plugin("event.properties.total = 1")
        let shadow = """
            class Fix extends LivePlugin {
                track(event) {
                    event.properties.total = event.properties.n % 4 ? 1 : 2
                    if (event.event === "Debug") { return null }
                    if (event.event === "Sign Up") { analytics.track("First Sign Up") }
                    return event
                }
            }
            analytics.add(new Fix(LivePluginType.enrichment))
            """
        let client = await client(present, shadow: shadow)
        let report = await report(client) {
            for number in 0..<60 { client.analytics.track(name: "Order", properties: ["n": number]) }
            client.analytics.track(name: "Debug", properties: ["n": 1])
            client.analytics.track(name: "Sign Up", properties: ["n": 1])
        }
        #expect(client.server.names.count == 62)
        #expect(client.server.events.allSatisfy { $0["type"] != "track" || $0["properties"]?["total"] == 1 })
        #expect(report?["version"] == "2")
        #expect(report?["events"] == 62)
        #expect(
            differences(report) == [
                "changed:Order:properties.total": 15, "dropped:Debug": 1, "made:First Sign Up": 1,
            ])
        await client.ended()
    }

    @Test("Versions that do the same have no differences, also when they make events and store values")
    func same() async {
        let script = Self.plugin(
            """
            storage.setValue("count", (storage.getValue("count") ?? 0) + 1)
            event.properties.count = storage.getValue("count")
            if (event.event === "Order") { analytics.track("Made", { count: event.properties.count }) }
            """)
        let client = await client(script, shadow: script)
        let report = await report(client) {
            for _ in 0..<30 { client.analytics.track(name: "Order", properties: ["n": 1]) }
        }
        // The events that the script made went through both versions, too.
        #expect(report?["events"] == 60)
        let counts = client.server.events.compactMap { $0["properties"]?["count"]?.intValue }
        #expect(counts.max() == 60)
        #expect(differences(report).isEmpty)
        await client.ended()
    }

    @Test("A change of a native plugin between two places reaches the shadow's event, too")
    func nativePlugin() async {
        let present = Self.plugin("event.properties.early = true", type: "before", name: "Early")
        let shadow =
            Self.plugin("event.properties.early = false", type: "before", name: "Early")
            + Self.plugin(
                "event.properties.late = event.properties.native + String(event.properties.early)", name: "Late")
        let client = await client(present, shadow: shadow)
        client.analytics.add(plugin: Native())
        let report = await report(client) {
            for _ in 0..<60 { client.analytics.track(name: "Order", properties: ["n": 1]) }
        }
        #expect(differences(report) == ["changed:Order:properties.early": 60, "changed:Order:properties.late": 60])
        await client.ended()
    }

    private final class Native: EventPlugin {
        let type = PluginType.enrichment
        weak var analytics: Analytics?
        func track(event: TrackEvent) -> TrackEvent? {
            var event = event
            event.properties = ["native": "yes", "early": event.properties?["early"] ?? .null]
            return event
        }
    }

    @Test("Generators of signals are compared by the events that they make")
    func signals() async {
        let server = TestServer()
        server.answerSettings(Self.settings())
        server.answerBundle("function processSignal(signal) { analytics.track('Seen') }", ofVersion: 1)
        server.answerBundle(
            "function processSignal(signal) { analytics.track(signal.data.screen === 'B' ? 'Seen B' : 'Seen') }",
            ofVersion: 2)
        let client = Client(server: server, folder: nil)
        client.analytics.add(plugin: LivePlugins(fallbackFileURL: nil))
        let signals = Signals { 0 }
        signals.useConfiguration(SignalsConfiguration(writeKey: "KEY", broadcasters: []))
        client.analytics.add(plugin: signals)
        await client.reported(text: "version 2 runs as a shadow")
        for screen in ["A", "B", "C"] { signals.emit(NavigationSignal(action: .page, screen: screen)) }
        await signals.settled(with: client)
        let report = await report(client) {
            for _ in 0..<60 { client.analytics.track(name: "Order", properties: ["n": 1]) }
        }
        #expect(differences(report) == ["dropped:Seen": 1, "made:Seen B": 1])
        await client.ended()
    }

    @Test("A shadow that throws has faults in the report, and the events go on")
    func faults() async {
        let client = await client(
            Self.plugin("event.properties.a = 1"), shadow: Self.plugin("throw new Error('no ' + event.event)"))
        let report = await report(client) {
            for _ in 0..<5 { client.analytics.track(name: "Order", properties: ["n": 1]) }
        }
        #expect(report?["faulty"] == 5 || report?["plugins"]?.elements?.first?["faults"] != nil)
        #expect(client.server.names.count == 5)
        #expect(client.diagnostics.all(.pluginFault).isEmpty)
        await client.ended()
    }

    @Test("A shadow that cannot be loaded, or that never ends, is reported, and the present version runs")
    func broken() async {
        for (shadow, text) in [
            ("this is no script", "version 2 does not run as a shadow"), ("for (;;);", "version 2 is in quarantine"),
        ] {
            let plugin = LivePlugins(fallbackFileURL: nil, budget: LivePluginBudget(loadSeconds: 0.5))
            let client = await client(Deployment.stamp(1), shadow: shadow, plugin: plugin)
            client.analytics.track(name: "Order")
            await client.reported(text: text)
            await client.flushed()
            await client.looked(after: 601)
            let shadows = client.server.healthReports.flatMap { $0["shadows"]?.elements ?? [] }
            #expect(shadows.contains { $0["incidents"]?["loadFailed"] == 1 })
            #expect(client.bundles == [1])
            await client.ended()
        }
    }

    @Test("No shadow runs on a device outside of the share, without live plugins, or below the present version")
    func notHere() {
        func version(_ percentage: Int, _ shadow: Int = 2, url: String = Deployment.url) -> Int? {
            let function = Self.settings(shadow: shadow, percentage: percentage, url: url)["edgeFunction"]
            return BundleReference(shadowOf: function, device: "d")?.version
        }
        #expect(version(100) == 2)
        #expect(version(0) == nil)
        #expect(version(100, url: "") == nil)
        #expect(BundleReference(shadowOf: Self.settings()["edgeFunction"], device: nil) == nil)
        #expect(BundleReference(shadowOf: ["shadow": 1], device: "d") == nil)
    }

    @Test("A device that saves power compares nothing")
    func lowPower() async {
        let isLow = LockBox(true)
        let plugin = LivePlugins(
            fallbackFileURL: nil, trust: BundleTrust(keys: []), budget: LivePluginBudget(),
            isPowerLow: { isLow.withLock { $0 } })
        let client = await client(
            Self.plugin("event.properties.a = 1"), shadow: Self.plugin("event.properties.a = 2"), plugin: plugin)
        await client.reported(text: "version 2 runs as a shadow")
        for _ in 0..<60 { client.analytics.track(name: "Order", properties: ["n": 1]) }
        await client.flushed()
        isLow.withLock { $0 = false }
        client.analytics.track(name: "Later", properties: ["n": 1])
        await client.flushed()
        await client.looked(after: 601)
        let shadows = client.server.healthReports.flatMap { $0["shadows"]?.elements ?? [] }
        #expect(shadows.map { differences($0) } == [["changed:Later:properties.a": 1]])
        await client.ended()
    }

    @Test("A shadow ends with the settings that name it, and then becomes the present version like any other")
    func end() async {
        let client = await client(Deployment.stamp(1), shadow: Deployment.stamp(2))
        await client.reported(text: "version 2 runs as a shadow")
        client.analytics.track(name: "A")
        await client.flushed()
        client.server.answerSettings(Deployment.settings(version: 2, url: Self.address(2)))
        await client.refreshed()
        await client.reported(text: "version 2 runs:")
        client.analytics.track(name: "B")
        await client.flushed()
        #expect(client.bundles == [1, 2])
        await client.ended()
    }

    private static func address(_ version: Int) -> String {
        "http://server.test/v1/projects/KEY/live-plugins/\(version).js"
    }

    @Test("A process that ended in a shadow's script does not run that version again")
    func death() async throws {
        let folder = try TemporaryFolder()
        let client = await client(Deployment.stamp(1), shadow: Deployment.stamp(2), folder: folder.url)
        await client.reported(text: "version 2 runs as a shadow")
        await client.ended()
        // The mark of a process that was inside of the shadow's script when it ended.
        let mark = folder.url.appendingPathComponent("tributary/KEY/live-plugins-shadow-0.mark")
        var bytes = [UInt8](try Data(contentsOf: mark))
        bytes[0] = UInt8(ascii: "1")
        try Data(bytes).write(to: mark)
        let next = await self.client(Deployment.stamp(1), shadow: Deployment.stamp(2), folder: folder.url)
        next.analytics.track(name: "A")
        await next.reported(text: "version 2 does not run as a shadow: the app ended while it ran as a shadow")
        await next.flushed()
        #expect(next.bundles == [1])
        await next.ended()
    }
}

@Suite("The comparison of a shadow with the present version")
struct ShadowComparisonTests {
    @Test("Fields are named by their paths, and keys that may be data are not named")
    func paths() {
        let differences = ShadowComparison.differences(
            of: ["event": "A", "properties": ["list": [["a": 1]], "users": ["anna@b.example": 1], "same": 1]],
            from: ["event": "A", "properties": ["list": [["a": 2]], "users": ["anna@b.example": 2], "same": 1]])
        #expect(differences.map(\.field) == ["properties.list[].a", "properties.users.…"])
        #expect(differences.allSatisfy { $0.kind == .changed && $0.event == "A" })
    }

    @Test("Equal outcomes have no difference, and an event of one side alone has one")
    func sides() {
        #expect(ShadowComparison.differences(of: nil as JSONObject?, from: nil).isEmpty)
        #expect(ShadowComparison.differences(of: ["event": "A"], from: ["event": "A"]).isEmpty)
        #expect(ShadowComparison.differences(of: ["type": "identify"], from: nil).map(\.kind) == [.dropped])
        #expect(ShadowComparison.differences(of: nil, from: ["name": "Home"]).map(\.event) == ["Home"])
    }

    @Test("Made events belong together by name and place")
    func made() {
        var (present, shadow) = (MadeEvents(), MadeEvents())
        for total in [1, 2] { present.track("A", ["total": .number(JSONNumber(total))]) }
        shadow.track("A", ["total": 1])
        shadow.track("B", nil)
        let differences = ShadowComparison.differences(of: present, from: shadow)
        #expect(Set(differences) == [EventDifference(.dropped, event: "A"), EventDifference(.made, event: "B")])
    }

    @Test("Changes between two places are made in the shadow's event as far as it has such members")
    func replay() {
        let result = ShadowComparison.replaying(
            from: ["a": 1, "p": ["x": 1, "y": 1]], to: ["b": 2, "p": ["x": 1, "y": 2]],
            on: ["a": 1, "own": true, "p": ["x": 9, "y": 1]])
        #expect(result == ["b": 2, "own": true, "p": ["x": 9, "y": 2]])
    }

    @Test("A report has at most 2 KB, and leaves out the rarest differences first")
    func size() {
        var shadow = ShadowHealth(run: VersionHealth(version: "2"))
        for number in 1...200 {
            let name = String(repeating: "x", count: 40) + "\(number)"
            shadow.count(EventDifference(.changed, event: name, field: "properties.total"), times: number)
        }
        #expect(shadow.differences.count == ShadowHealth.differences)
        #expect(shadow.differencesLeftOut > 0)
    }
}
