import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Write keys", .timeLimit(.minutes(30))) struct KeyTests {
    private let path = "/api/sources/WK/keys"

    @Test("A new key works beside the old key until the old key is revoked")
    func rotation() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder) { workspace async throws in
            let client = workspace.client
            #expect(try await client.post(path, ["key": "NEW", "name": "app 2"]).status == 201)
            #expect(try await client.batch([Events.track(messageId: "m-1")], writeKey: "WK").status == 200)
            #expect(try await client.batch([Events.track(messageId: "m-1")], writeKey: "NEW").status == 200)
            #expect(try await client.events().map { $0["writeKey"] } == ["WK"])
            _ = try await client.put("/api/sources/WK/live-plugins", "// one")
            let settings = try await client.get("/v1/projects/NEW/settings").json
            #expect(settings["integrations"]?["Segment.io"]?["apiKey"] == "NEW")
            let bundle = "/v1/projects/WK/live-plugins/1.js"
            #expect(
                settings["edgeFunction"]?["downloadURL"]?.stringValue?.hasSuffix("/projects/NEW/live-plugins/1.js")
                    == true)

            let revoked = try await client.send("DELETE", path + "/WK", body: nil)
            #expect(revoked.status == 200)
            #expect(try revoked.json["keys"]?.elements?.map { $0["revokedAt"]?.isNull } == [false, true])
            #expect(try await client.batch([Events.track(messageId: "m-2")], writeKey: "WK").status == 401)
            #expect(try await client.get("/v1/projects/WK/settings").status == 404)
            // An address of a bundle that a client already has stays valid.
            #expect(try await client.get(bundle).text == "// one")
            #expect(try await client.batch([Events.track(messageId: "m-2")], writeKey: "NEW").status == 200)
        }
        try await TestWorkspace.run(in: folder) { workspace async throws in
            let client = workspace.client
            #expect(try await client.batch([Events.track(messageId: "m-3")], writeKey: "WK").status == 401)
            #expect(try await client.batch([Events.track(messageId: "m-3")], writeKey: "NEW").status == 200)
            #expect(try await client.events().count == 3)
        }
    }

    @Test("A key always belongs to one source, and the last key of a source cannot be revoked")
    func refusals() async throws {
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"]) { workspace async throws in
            let client = workspace.client
            #expect(try await client.post(path, ["key": "OTHER"]).status == 409)
            #expect(try await client.send("DELETE", path + "/WK", body: nil).status == 409)
            #expect(try await client.post(path, ["key": "SECOND"]).status == 201)
            #expect(try await client.send("DELETE", path + "/SECOND", body: nil).status == 200)
            #expect(try await client.send("DELETE", path + "/SECOND", body: nil).status == 404)
            #expect(try await client.post("/api/sources/OTHER/keys", ["key": "SECOND"]).status == 409)
            #expect(try await client.put("/api/sources/SECOND", "{}").status == 409)
            #expect(try await client.post(path, ["key": "a/b"]).status == 400)
            #expect(try await client.post(path, ["nome": "x"]).status == 400)
            #expect(try await client.post("/api/sources/NONE/keys", [:]).status == 404)
            let made = try await client.post(path, [:]).json["key"]?.stringValue
            #expect(made?.count == 32)
            let entries = try await client.get("/api/audit?writeKey=WK").json["entries"]?.elements ?? []
            #expect(entries.map { $0["action"] } == ["key added", "key revoked", "key added", "source made"])
        }
    }
}
