import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

@Suite("Health reports of live plugins", .timeLimit(.minutes(30))) struct HealthReportTests {
    /// A script that drops, changes, makes events or throws, depending on the event's name.
    private static let script = """
        class Fix extends LivePlugin {
            track(event) {
                if (event.event === "Drop") { return null }
                if (event.event === "Throw") { throw new Error("no price for " + event.properties.mail + " in 4711") }
                if (event.event === "Make") { analytics.track("Made", {}) }
                if (event.event === "Change") { event.properties.changed = true }
                return event
            }
        }
        analytics.add(new Fix(LivePluginType.enrichment, null))
        """

    private func client(
        _ script: String = Self.script, version: Int = 4, folder: URL? = nil, plugin: LivePlugins? = nil
    ) -> Client {
        let server = TestServer()
        server.answerSettings(Self.settings(version))
        server.answerBundle(script)
        let client = Client(server: server, folder: folder)
        client.analytics.add(plugin: plugin ?? LivePlugins(fallbackFileURL: nil))
        return client
    }

    private static func settings(_ version: Int) -> JSON {
        var settings = Deployment.settings(version: version)
        settings["healthReports"] = ["sampleRate": 1]
        return settings
    }

    private func track(_ names: [String], _ client: Client) async {
        for name in names { client.analytics.track(name: name, properties: ["mail": "a@b.example"]) }
        await client.processed()
    }

    @Test("A report says what each plugin of a version did")
    func counts() async {
        let client = client()
        await track(Array(repeating: "Other", count: 60) + ["Drop", "Change", "Change", "Make"], client)
        await client.looked(after: 601)
        let version = client.server.healthReports.first?["versions"]?.elements?.first
        #expect(version?["version"] == "4")
        // The event that the script made went through the script as well.
        #expect(version?["events"] == 65)
        #expect(version?["dropped"] == 1)
        #expect(version?["made"] == 1)
        #expect(version?["faulty"] == nil)
        let times = version?["times"]?.elements?.compactMap(\.intValue).reduce(0, +)
        #expect(times == 65)
        let plugin = version?["plugins"]?.elements?.first
        #expect(plugin == ["seen": 65, "changed": 2, "dropped": 1, "name": "Fix"])
    }

    @Test("A report says what the app allows to scripts, and nothing when it restricts nothing")
    func permissions() async {
        for (allow, expected) in [([.rename, .drop("Debug*")], ["rename", "drop Debug*"]), (nil, nil)]
            as [([ScriptPermission]?, JSON?)]
        {
            let client = client(plugin: LivePlugins(allow: allow))
            await track(Array(repeating: "Other", count: 60), client)
            await client.looked(after: 601)
            #expect(client.server.healthReports.count == 1)
            #expect(client.server.healthReports.first?["app"]?["allows"] == expected)
        }
    }

    @Test("The first fault is reported at once, without the content of the event")
    func fault() async {
        let client = client()
        await track(["Other", "Throw", "Throw"], client)
        await client.reportedHealth()
        #expect(client.server.healthReports.count == 1)
        let report = client.server.healthReports.first
        #expect(report?["isEarly"] == true)
        let fault = report?["versions"]?.elements?.first?["plugins"]?.elements?.first?["fault"]
        #expect(fault?["event"] == "Throw")
        #expect(fault?["file"] == "livePlugin-4.js")
        #expect(fault?["line"] == 4)
        #expect(fault?["message"]?.stringValue?.contains("no price for … in …") == true)
        #expect(report?.description.contains("b.example") == false)
        // Later faults wait for the regular report.
        await track(Array(repeating: "Other", count: 60) + ["Throw"], client)
        await client.reportedHealth()
        #expect(client.server.healthReports.count == 1)
        await client.looked(after: 601)
        let versions = client.server.healthReports.flatMap { $0["versions"]?.elements ?? [] }
        #expect(versions.compactMap { $0["faulty"]?.intValue }.reduce(0, +) == 3)
        #expect(versions.compactMap { $0["events"]?.intValue }.reduce(0, +) == 64)
    }

    @Test("A version that cannot be loaded is reported, and so is the one that runs in its place")
    func fallBack() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("fallback.js")
        try Self.script.write(to: file, atomically: true, encoding: .utf8)
        let client = client("this is no script", plugin: LivePlugins(fallbackFileURL: file))
        await track(["Other"], client)
        await client.reportedHealth()
        let versions = client.server.healthReports.first?["versions"]?.elements
        #expect(versions?.first { $0["version"] == "4" }?["incidents"] == ["loadFailed": 1])
        await track(Array(repeating: "Other", count: 60), client)
        await client.looked(after: 601)
        let all = client.server.healthReports.flatMap { $0["versions"]?.elements ?? [] }
        #expect(all.contains { $0["version"] == "fallback" && $0["incidents"]?["fellBack"] == 1 })
    }

    @Test("A version without the signature that the app demands is reported")
    func signature() async {
        let key = SigningKey()
        let client = client(plugin: LivePlugins(fallbackFileURL: nil, publicKey: key.publicKey.base64EncodedString()))
        await track(["Other"], client)
        await client.reportedHealth()
        let version = client.server.healthReports.first?["versions"]?.elements?.first
        #expect(version?["incidents"] == ["signatureRefused": 1])
    }

    @Test("A plugin that breaks its budget is reported as switched off")
    func budget() async {
        let script = """
            class Slow extends LivePlugin { track(event) { while (true) {} } }
            analytics.add(new Slow(LivePluginType.enrichment, null))
            """
        let client = client(script)
        await track(["Other"], client)
        await client.reportedHealth()
        let plugin = client.server.healthReports.first?["versions"]?.elements?.first?["plugins"]?.elements?.first
        #expect(plugin?["breaches"] == 1)
        #expect(plugin?["isOff"] == true)
    }

    @Test(
        "Values of the event, mail addresses and long numbers are taken out of a message",
        arguments: [
            ("TypeError: undefined is not an object (evaluating 'event.properties.a.b')", nil),
            ("bad mail someone@else.example", "bad mail …"),
            ("bad value Wörgl in Order", "bad value … in Order"),
            ("got 12 and 123456 and 9.5e10", "got 12 and … and 9.5e10"),
        ] as [(String, String?)])
    func masked(message: String, expected: String?) {
        let event: JSONObject = [
            "event": "Order", "type": "track", "properties": ["city": "Wörgl", "nested": ["deep": ["Innsbruck"]]],
        ]
        #expect(FaultText.masked(message, event) == expected ?? message)
        #expect(!FaultText.masked("in Innsbruck", event).contains("Innsbruck"))
    }
}
