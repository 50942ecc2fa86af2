import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Settings that arrive at once", .timeLimit(.minutes(30))) struct SettingsPushTests {
    private let path = "/v1/projects/WK/settings"

    /// Asks in a way that the server may hold, with the tag of the settings as they are.
    private func held(_ client: TestClient, wait: String = "60") async throws -> Task<TestClient.Answer, any Error> {
        let known = try await client.get(path)
        let tag = try #require(known.header("ETag"))
        let held = path + "?wait=" + wait
        return Task { try await client.get(held, headers: ["If-None-Match": tag]) }
    }

    /// Until that many requests are held, as the metrics say.
    private func holds(_ count: Int, _ client: TestClient) async throws {
        let line = "\ntributary_held_settings_requests \(count)\n"
        let token = ["Authorization": "Bearer \(TestClient.token)"]
        while try await !client.get("/metrics", headers: token).text.contains(line) {
            try Task.checkCancellation()
        }
    }

    @Test("A held request is answered when the settings change") func changed() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            #expect(try await client.get(path).json["settingsPush"] == ["seconds": 45])
            let waiting = try await held(client)
            try await holds(1, client)
            #expect(
                try await client.put("/api/sources/WK/integrations", #"{"Amplitude":{"apiKey":"k"}}"#).status == 200)
            let answer = try await waiting.value
            #expect(answer.status == 200)
            #expect(try answer.json["integrations"]?["Amplitude"] != nil)
            try await holds(0, client)
        }
    }

    @Test("A change that is not in the settings, and one of another source, end no held request") func others()
        async throws
    {
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"]) { workspace async throws in
            let client = workspace.client
            let waiting = try await held(client)
            try await holds(1, client)
            #expect(try await client.put("/api/sources/OTHER/live-plugins", "// one").status == 200)
            #expect(try await client.put("/api/sources/WK/live-plugins", "// one").status == 200)
            #expect(try await waiting.value.json["edgeFunction"]?["version"] == 1)
        }
    }

    @Test("Of many held requests each gets the change, and other requests are answered meanwhile") func many()
        async throws
    {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            var waiting: [Task<TestClient.Answer, any Error>] = []
            for _ in 0..<6 { waiting.append(try await held(client)) }
            try await holds(6, client)
            #expect(try await client.get("/v1/health").status == 200)
            #expect(try await client.put("/api/sources/WK/live-plugins", "// one").status == 200)
            for task in waiting { #expect(try await task.value.json["edgeFunction"]?["version"] == 1) }
        }
    }

    @Test("A server that ends answers held requests") func ending() async throws {
        let waiting = try await TestWorkspace.run { workspace async throws in
            let waiting = try await held(workspace.client)
            try await holds(1, workspace.client)
            return waiting
        }
        #expect(try await waiting.value.status == 304)
    }

    @Test("A request is answered at once without a tag, with an old tag, at the limit, and when its time is over")
    func atOnce() async throws {
        try await TestWorkspace.run(heldSettings: 0) { workspace async throws in
            let client = workspace.client
            #expect(try await client.get(path + "?wait=60").status == 200)
            #expect(try await client.get(path + "?wait=60", headers: ["If-None-Match": "\"old\""]).status == 200)
            #expect(try await held(client).value.status == 304)
        }
        try await TestWorkspace.run { workspace async throws in
            #expect(try await held(workspace.client, wait: "0").value.status == 304)
            #expect(try await held(workspace.client, wait: "1").value.status == 304)
        }
    }

    @Test("A time that is no number is refused, and a time that is too long is shortened") func bad() async throws {
        try await TestWorkspace.run(heldSettings: 0) { workspace async throws in
            for wait in ["x", "-1", "1.5", "99999999999999999999", "%00"] {
                #expect(try await held(workspace.client, wait: wait).value.status == 400, "\(wait)")
            }
            #expect(try await held(workspace.client, wait: "9223372036854775807").value.status == 304)
        }
    }

    @Test("A held request of a key that is revoked, or of a source that is removed, ends") func gone() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let added = try await client.post("/api/sources/WK/keys", ["key": "SECOND", "name": "two"])
            #expect(added.status == 201, "\(added.text)")
            let tag = try #require(try await client.get("/v1/projects/SECOND/settings").header("ETag"))
            let waiting = Task {
                try await client.get("/v1/projects/SECOND/settings?wait=60", headers: ["If-None-Match": tag])
            }
            try await holds(1, client)
            #expect(try await client.send("DELETE", "/api/sources/WK/keys/SECOND", body: nil).status == 200)
            #expect(try await waiting.value.status == 404)
        }
    }

    @Test("A change between the reading of the settings and the wait is not missed") func missed() async {
        let waits = SettingsWaits(seconds: 45, limit: 10)
        let before = waits.changes
        waits.noteChange(of: 1)
        #expect(await waits.wait(for: 1, after: before, until: .max) == .changed)
    }

    @Test("A change answers many waits in portions, and none is left") func portions() async {
        let waits = SettingsWaits(seconds: 45, limit: 1_000)
        let waiting = (0..<175).map { number in Task { await waits.wait(for: 1, after: 0, until: .max - Int64(number)) }
        }
        while waits.count < 175 { await Task.yield() }
        waits.noteChange(of: 1)
        for task in waiting { #expect(await task.value == .changed) }
        #expect(waits.count == 0)
    }

    @Test("A wait ends when its time is over, its client leaves, or the server ends") func endings() async {
        let waits = SettingsWaits(seconds: 45, limit: 1)
        func waiting() async -> Task<SettingsWaits.Ending, Never> {
            let task = Task { await waits.wait(for: 1, after: 0, until: .max) }
            while waits.count == 0 { await Task.yield() }
            return task
        }
        let first = await waiting()
        #expect(await waits.wait(for: 1, after: 0, until: .max) == .full)
        waits.endOverdue(at: .max)
        #expect(await first.value == .over)
        let second = await waiting()
        second.cancel()
        #expect(await second.value == .over)
        let third = await waiting()
        waits.close()
        #expect(await third.value == .over)
        #expect(await waits.wait(for: 1, after: 0, until: .max) == .over)
        #expect(waits.count == 0)
    }
}
