import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceServer

@Suite("Removing a source", .timeLimit(.minutes(2))) struct SourceRemovalTests {
    @Test("A request that is acknowledged while its source is removed is skipped and delays no other")
    func race() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder, writeKeys: ["WK", "GONE"]) { workspace async throws in
            // As if the request had been let in right before: the server still knows the key, the database does not.
            try await workspace.store.pool.write { db in
                let source = "(SELECT id FROM source WHERE writeKey = 'GONE')"
                try db.execute(sql: "DELETE FROM sourceKey WHERE source = \(source)")
                try db.execute(sql: "DELETE FROM source WHERE writeKey = 'GONE'")
            }
            let client = workspace.client
            #expect(try await client.batch([Events.track(messageId: "late")], writeKey: "GONE").status == 200)
            #expect(try await client.batch([Events.track(messageId: "m-1")]).status == 200)
            #expect(try await client.events().map { $0["messageId"] } == ["m-1"])
            #expect(try await client.get("/v1/ready").status == 200)
        }
        let aside = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/unreadable")
        #expect(aside.count == 1)
    }

    @Test("a source that cannot be removed takes events again")
    func failure() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await workspace.store.pool.write { db in
                try db.execute(sql: "CREATE TRIGGER kept BEFORE DELETE ON source BEGIN SELECT RAISE(ABORT, 'no'); END")
            }
            #expect(try await client.send("DELETE", "/api/sources/WK", body: nil).status == 503)
            #expect(try await client.batch([Events.track(messageId: "m-1")]).status == 200)
            try await workspace.store.pool.write { db in try db.execute(sql: "DROP TRIGGER kept") }
            #expect(try await client.send("DELETE", "/api/sources/WK", body: nil).status == 200)
            #expect(try await client.batch([Events.track(messageId: "m-2")]).status == 401)
            #expect(try await client.events() == [])
        }
    }

    @Test("nothing of a removed source is left in any file")
    func bytes() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder, writeKeys: ["WK", "OTHER"]) { workspace async throws in
            let client = workspace.client
            let texts = ["somebody-of-the-source", "live-plugin-of-the-source", "address-of-the-source"]
            try await client.batch([Events.track(messageId: "m-1", userId: texts[0])])
            try await client.batch([Events.track(messageId: "m-2", userId: "somebody else")], writeKey: "OTHER")
            #expect(try await client.put("/api/sources/WK/live-plugins", "// \(texts[1])").status == 200)
            let hook = #"{"kind":"webhook","enabled":false,"settings":{"url":"http://127.0.0.1:9/\#(texts[2])"}}"#
            #expect(try await client.put("/api/sources/WK/destinations/Hook", hook).status == 201)
            #expect(try await client.events().count == 2)
            for text in texts { #expect(try !DataFiles.containing(text, in: folder.path).isEmpty, "\(text)") }
            #expect(try await client.send("DELETE", "/api/sources/WK", body: nil).status == 200)
            for text in texts { #expect(try DataFiles.containing(text, in: folder.path) == [], "\(text)") }
            #expect(try await client.events().map { $0["messageId"] } == ["m-2"])
        }
    }
}
