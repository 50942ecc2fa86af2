import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Stops on devices", .timeLimit(.minutes(30))) struct StopTests {
    private let clock = TestClock()
    private let path = "/api/sources/WK/stops"

    private func run(_ body: (TestClient) async throws -> Void) async throws {
        var environment = WorkspaceEnvironment.testing
        let clock = clock
        environment.now = { clock.now }
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            let integrations = try await client.put("/api/sources/WK/integrations", #"{"Amplitude":{"apiKey":"k"}}"#)
            #expect(integrations.status == 200)
            #expect(try await client.put("/api/sources/WK/live-plugins", "// one").status == 200)
            try await body(client)
        }
    }

    private func settings(_ client: TestClient) async throws -> JSON {
        try await client.get("/v1/projects/WK/settings").json
    }

    private func stop(_ client: TestClient, _ body: JSON) async throws -> JSON {
        let answer = try await client.post(path, body)
        #expect(answer.status == 201, "\(answer.text)")
        return try answer.json
    }

    private func runs(_ settings: JSON) -> Bool {
        settings["edgeFunction"]?["downloadURL"]?.stringValue?.isEmpty == false
    }

    @Test("A stop of live plugins is in the settings until its end, and devices look every minute")
    func plugins() async throws {
        try await run { client async throws in
            let before = try await settings(client)
            let stop = try await stop(client, ["kind": "livePlugins", "seconds": 7200])
            #expect(stop["number"] == 1)
            #expect(stop["version"] == .null)
            let during = try await settings(client)
            #expect(during["edgeFunction"] == ["version": 1, "downloadURL": ""])
            #expect(during["stopNumber"] == 1)
            #expect(during["settingsInterval"] == 60)
            #expect(during["integrations"]?["Amplitude"] != nil)
            clock.advance(by: 7_200_000)
            let after = try await settings(client)
            #expect(after["edgeFunction"] == before["edgeFunction"])
            #expect(after["settingsInterval"] == nil)
            #expect(after["stopNumber"] == 1)
            clock.advance(by: 3_600_000)
            #expect(try await settings(client)["stopNumber"] == nil)
        }
    }

    @Test("A destination that is stopped is not in the settings until the stop is ended")
    func destination() async throws {
        try await run { client async throws in
            _ = try await stop(client, ["kind": "destination", "destination": "Amplitude"])
            var now = try await settings(client)
            #expect(now["integrations"]?["Amplitude"] == nil)
            #expect(now["integrations"]?["Segment.io"] != nil)
            #expect(runs(now))
            #expect(try await client.send("DELETE", path + "/1", body: nil).status == 200)
            now = try await settings(client)
            #expect(now["integrations"]?["Amplitude"] != nil)
            #expect(try await client.send("DELETE", path + "/1", body: nil).status == 404)
            let actions = try await client.get("/api/audit").json["entries"]?.elements?.compactMap {
                $0["action"]?.stringValue
            }
            #expect(actions?.prefix(2) == ["stop on devices ended", "stop on devices begun"])
        }
    }

    @Test("A drill stops nothing, and devices hear its number")
    func drill() async throws {
        try await run { client async throws in
            _ = try await stop(client, ["kind": "livePlugins", "drill": true])
            _ = try await stop(client, ["kind": "destination", "destination": "Amplitude", "drill": true])
            let now = try await settings(client)
            #expect(runs(now))
            #expect(now["integrations"]?["Amplitude"] != nil)
            #expect(now["stopNumber"] == 2)
            #expect(now["settingsInterval"] == 60)
        }
    }

    @Test("A stop of a staged version leaves the version for all, and a stop of all leaves none")
    func staged() async throws {
        try await run { client async throws in
            #expect(try await client.put("/api/sources/WK/live-plugins?percentage=10", "// two").status == 200)
            #expect(try await settings(client)["edgeFunction"]?["staged"]?["version"] == 2)
            _ = try await stop(client, ["kind": "livePlugins", "version": 2])
            let one = try await settings(client)["edgeFunction"]
            #expect(one?["version"] == 1 && one?["staged"] == nil)
            _ = try await stop(client, ["kind": "livePlugins"])
            #expect(try await settings(client)["edgeFunction"] == ["version": 2, "downloadURL": ""])
        }
    }

    @Test("Reports say who heard of a stop, and a number that was not given confirms no later stop")
    func reach() async throws {
        try await run { client async throws in
            _ = try await stop(client, ["kind": "livePlugins", "drill": true])
            for (device, settings) in [
                ("a", ["stop": 1, "interval": 60]), ("b", ["stop": 0, "interval": 300]), ("c", nil),
                ("forged", ["stop": 99, "interval": 60]),
            ] as [(String, JSON?)] {
                var report: JSON = ["writeKey": "WK", "instanceId": .string(device), "number": 1]
                report["settings"] = settings
                #expect(try await client.post("/v1/health-reports", report).status == 200)
            }
            let list = try await client.get(path).json
            #expect(list["devices"] == 4 && list["sampled"] == 4)
            let reach = try #require(list["stops"]?[0]?["reach"])
            #expect(reach["confirmed"] == 2)
            #expect(reach["expected"] == 1)
            #expect(reach["unable"] == 1)
            #expect(reach["forecasts"]?.elements?.map { $0["state"] } == ["reached", "expected", "expected"])
            _ = try await stop(client, ["kind": "livePlugins", "drill": true])
            #expect(try await client.get(path).json["stops"]?[0]?["reach"]?["confirmed"] == 0)
        }
    }

    @Test("What cannot be stopped is refused with the reason")
    func refusals() async throws {
        try await run { client async throws in
            for (body, status) in [
                ([:], 400), (["kind": "all"], 400), (["kind": "livePlugins", "seconds": 59], 400),
                (["kind": "livePlugins", "seconds": "x"], 400), (["kind": "livePlugins", "drill": 1], 400),
                (["kind": "livePlugins", "version": "x"], 400), (["kind": "livePlugins", "version": 2], 404),
                (["kind": "destination"], 400), (["kind": "destination", "destination": "None"], 404),
                (["kind": "destination", "destination": "Segment.io"], 404),
                (["kind": "livePlugins", "seconds": 2_592_001], 400),
            ] as [(JSON, Int)] {
                #expect(try await client.post(path, body).status == status, "\(body)")
            }
            for _ in 0..<DeviceStops.mostActive { _ = try await stop(client, ["kind": "livePlugins", "drill": true]) }
            #expect(try await client.post(path, ["kind": "livePlugins"]).status == 409)
        }
    }

    @Test("Stops are read as they were stored, and old ones go") func stored() throws {
        var stops = DeviceStops()
        for time in 0..<Int64(50) {
            let target: DeviceStops.Target = time % 2 == 0 ? .destination("A") : .livePlugins(version: time)
            stops = try stops.adding(target, isDrill: time % 3 == 0, from: time, until: time + 5)
            if time % 5 == 0 { stops = try stops.ending(stops.newest, at: time) }
        }
        #expect(stops.newest == 50)
        #expect(stops.all.count == 20)
        #expect(try DeviceStops(stored: stops.stored) == stops)
        #expect(try DeviceStops(stored: "") == DeviceStops())
        #expect(try DeviceStops(stored: #"[{"number":1,"kind":"later","startedAt":1,"until":2}]"#) == DeviceStops())
    }

    @Test("`tributary stop` begins, shows and ends stops")
    func command() async throws {
        try await run { client async throws in
            func command(_ arguments: String...) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(["stop"] + arguments + ["--server", client.url, "--write-key", "WK"])
            }
            #expect(try await command("list").output == "nothing is or was stopped on devices\n")
            let drill = try await command("plugins", "--drill", "--until", "2h")
            #expect(drill.output.hasPrefix("stop 1: the live plugins, as a drill;"), "\(drill.errors)")
            let stopped = try await command("destination", "Amplitude")
            #expect(stopped.output.hasPrefix("stop 2: the destination Amplitude;"), "\(stopped.errors)")
            let report: JSON = [
                "writeKey": "WK", "instanceId": "a", "number": 1, "settings": ["stop": 2, "interval": 300],
            ]
            #expect(try await client.post("/v1/health-reports", report).status == 200)
            let list = try await command("list").output
            #expect(list.contains("devices: 1 (100 %) have heard of it, 0 (0 %) will"), "\(list)")
            #expect(list.contains("99 % of them have heard of it"), "\(list)")
            #expect(try await command("end", "2").output == "stop 2: the destination Amplitude: ended\n")
            #expect(try await command("list").output.contains("stop 2: the destination Amplitude, ended 2"))
            #expect(try await command("end", "2").status == 1)
            #expect(try await command("plugins", "--version", "9").status == 1)
        }
    }
}
