import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Trying live plugins under the permissions of apps", .timeLimit(.minutes(30))) struct RestrictedTrialTests {
    private static func plugin(_ track: String, more: String = "") -> String {
        """
        class Trial extends LivePlugin {
          constructor() { super(LivePluginType.enrichment, null); }
          track(event) { \(track); return event }
        }
        analytics.add(new Trial());
        \(more)
        """
    }

    /// A workspace with ten events and with devices that allow these actions, each list in a version of its own.
    private func trial(_ text: String, _ allows: [[String]?], last: Int = 200) async throws -> JSON {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let client = workspace.client
            try await client.batch(
                (0..<10).map { number in
                    [
                        "type": "track", "event": number < 6 ? "Order" : "Debug", "messageId": .string("m-\(number)"),
                        "anonymousId": "a", "properties": ["price": 2, "mail": "ada@example.com"],
                    ]
                })
            for (place, allows) in allows.enumerated() {
                var app: JSON = ["version": .string("5.\(place)")]
                app["allows"] = allows.map { .strings($0) }
                // The first version has the most devices.
                for device in 0..<9 - place {
                    let report: JSON = [
                        "writeKey": "WK", "instanceId": .string("\(place)-\(device)"), "number": 1, "app": app,
                    ]
                    #expect(try await client.post("/v1/health-reports", report).status == 200)
                }
            }
            let answer = try await client.send(
                "POST", "/api/sources/WK/live-plugins/try?last=\(last)", body: Array(text.utf8),
                headers: ["Content-Type": "text/javascript"])
            #expect(answer.status == 200, "\(answer.text)")
            return try answer.json
        }
    }

    private func app(_ text: String, _ allows: [String]) async throws -> JSON {
        try #require(try await trial(text, [allows])["apps"]?[0])
    }

    @Test("A trial names the change that a version of the app does not allow, with the number of its events")
    func change() async throws {
        let text = Self.plugin(#"if (event.event === "Order") event.properties.price = 1"#)
        let answer = try await trial(text, [nil, ["rename"], ["change properties.*"]])
        #expect(answer["changed"] == 6)
        #expect(answer["devices"] == 24)
        let apps = try #require(answer["apps"]?.elements)
        #expect(apps.map { $0["versions"] } == [["5.1"], ["5.2"]])
        #expect(apps.map { $0["devices"] } == [8, 7])
        #expect(apps.map { $0["events"] } == [10, 10])
        #expect(apps[0]["refused"] == [["action": "change properties.price", "events": 6, "unchanged": 6]])
        #expect(apps[0]["different"] == 6)
        #expect(apps[0]["unchanged"] == 6)
        #expect(apps[0]["unseen"] == 0)
        #expect(apps[1]["refused"] == [])
        #expect(apps[1]["different"] == 0)
        #expect(apps.allSatisfy { $0["complete"] == true && $0["fault"] == .null && $0["untried"] == .null })
    }

    @Test("A part that is not allowed is undone, and the rest of the change stays")
    func part() async throws {
        let app = try await app(
            Self.plugin(#"event.event = "Renamed"; event.properties.price = 1"#), ["rename"])
        #expect(app["different"] == 10)
        #expect(app["unchanged"] == 0)
        #expect(app["refused"] == [["action": "change properties.price", "events": 10, "unchanged": 0]])
    }

    @Test("Drops and events of scripts that are not allowed are named")
    func dropsAndMade() async throws {
        let app = try await app(
            Self.plugin(
                #"""
                if (event.event === "Debug") return null
                try { if (event.event === "Order") analytics.track("Bonus") } catch {}
                """#),
            ["drop Other", "read"])
        #expect(app["different"] == 10)
        #expect(app["unchanged"] == 10)
        #expect(
            app["refused"] == [
                ["action": "make the event Bonus", "events": 6, "unchanged": 6],
                ["action": "drop Debug", "events": 4, "unchanged": 4],
            ])
    }

    @Test("A script that does not see what it reads comes out differently without a refused action")
    func unseen() async throws {
        let app = try await app(
            Self.plugin(#"if (event.properties.mail) event.event = "With Mail""#), ["rename", "read properties.price"])
        #expect(app["different"] == 10)
        #expect(app["unseen"] == 10)
        #expect(app["refused"] == [])
    }

    @Test("Times and chance in events are no difference, and ids of events that scripts make neither")
    func chance() async throws {
        let app = try await app(
            Self.plugin(
                #"""
                event.properties.at = Math.random()
                if (event.event === "Order") analytics.track("Made", {at: Date.now() * Math.random()})
                """#),
            ["change properties.*", "emit", "read"])
        #expect(app["different"] == 0)
    }

    @Test("A bundle that an app does not let load is named, and one that needs signals, too")
    func start() async throws {
        let load = try await app(Self.plugin("", more: #"storage.setValue("a", 1)"#), ["rename"])
        #expect(load["fault"]?.stringValue?.contains("does not allow scripts to store values") == true, "\(load)")
        #expect(load["events"] == 0)
        let caught = try await app(Self.plugin("", more: #"try { storage.setValue("a", 1) } catch {}"#), ["rename"])
        #expect(caught["fault"] == .null)
        #expect(caught["refusedAtStart"] == ["store values"])
        let signals = try await app(
            Self.plugin("", more: #"function processSignal(signal) { analytics.track("A") }"#), ["emit"])
        #expect(signals["lacksSignals"] == true)
    }

    @Test("Permissions that this workspace does not know are not tried, and neither is a list that was cut")
    func unknown() async throws {
        let unknown = try await app(Self.plugin(""), ["fly"])
        #expect(unknown["untried"]?.stringValue?.contains("does not know") == true)
        let long = try await app(Self.plugin(""), (0..<50).map { "drop \($0)" })
        #expect(long["isCut"] == true)
        #expect(long["untried"]?.stringValue?.contains("too long") == true)
    }

    @Test("Without restricting versions, and without events, a trial says nothing of apps")
    func none() async throws {
        let text = Self.plugin("")
        let unrestricted = try await trial(text, [nil])
        #expect(unrestricted["apps"] == [])
        #expect(unrestricted["devices"] == 0)
        #expect(try await trial(text, [["rename"]], last: 0)["apps"] == [])
    }

    @Test(
        "`plugin deploy` warns of what versions of the app do not allow, and deploys; `plugin health` shows the versions"
    )
    func command() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/p.js"
        try Self.plugin("event.properties.price = 1").write(toFile: file, atomically: true, encoding: .utf8)
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let client = workspace.client
            try await client.batch([Events.track(messageId: "m-1"), Events.track(messageId: "m-2")])
            for (instance, app) in [("a", ["version": "5.1.0", "allows": ["rename"]]), ("b", ["version": "5.2.0"])]
                as [(String, JSON)]
            {
                let report: JSON = [
                    "writeKey": "WK", "instanceId": .string(instance), "number": 1, "app": app,
                    "versions": [["version": "1", "events": 1]],
                ]
                #expect(try await client.post("/v1/health-reports", report).status == 200)
            }
            let options = ["--server", client.url, "--write-key", "WK"]
            let warning =
                "in app 5.1.0 (50 % of devices) scripts may not change properties.price: 2 of 2 events would stay as they are"
            let deployed = try await CommandRun.finish(["plugin", "deploy", file] + options)
            #expect(deployed.status == 0)
            #expect(deployed.errors.contains(warning), "\(deployed.errors)")
            let inWorkspace = try await CommandRun.finish(["plugin", "deploy", file, "--where", "workspace"] + options)
            #expect(inWorkspace.status == 0 && !inWorkspace.errors.contains("in app"), "\(inWorkspace.errors)")
            let health = try await CommandRun.finish(["plugin", "health"] + options).output
            #expect(health.contains("5.1.0  rename"), "\(health)")
            #expect(health.contains("5.2.0  do everything"), "\(health)")
        }
    }

    @Test("At most eight lists of permissions are tried, those of the most devices")
    func many() async throws {
        let answer = try await trial(Self.plugin(""), (0..<9).map { ["drop \($0)"] })
        #expect(answer["apps"]?.elements?.map { $0["versions"]?[0] } == (0..<8).map { JSON.string("5.\($0)") })
    }
}
