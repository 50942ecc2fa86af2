import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The state of the server", .timeLimit(.minutes(30))) struct ServerStateTests {
    @Test("The state names the disk, files that need a person, and quotas that are used up")
    func state() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder, writeKeys: ["WK", "FREE"]) { workspace async throws in
            let client = workspace.client
            #expect(try await client.put("/api/sources/WK/policy", #"{"quota":{"eventsPerDay":1}}"#).status == 200)
            #expect(try await client.batch([Events.track(messageId: "m-1")]).status == 200)
            for _ in 0..<2 { #expect(try await client.batch([Events.track(messageId: "m-2")]).status == 429) }
            let unreadable = URL(filePath: folder.path).appending(path: "unreadable")
            try FileManager.default.createDirectory(at: unreadable, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: unreadable.appending(path: "7-request"))

            let state = try await client.get("/api/server").json
            #expect(state["status"] == "ready")
            #expect(state["version"]?.stringValue == Workspace.version)
            #expect(state["retainDays"] == .null)
            #expect(state["unreadableFiles"] == 1)
            #expect(state["unreadable"] == ["7-request"])
            let free = try #require(state["disk"]?["freeBytes"]?.doubleValue)
            let size = try #require(state["disk"]?["sizeBytes"]?.doubleValue)
            #expect(free > 0 && free <= size)
            #expect(try #require(state["disk"]?["dataBytes"]?.doubleValue) > 0)
            #expect(
                state["quotas"] == [["writeKey": "WK", "events": 1, "eventsPerDay": 1, "refusedRequests": 2]])
        }
    }
}
