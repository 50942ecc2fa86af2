import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Ids are whole texts: two ids that only begin alike or look alike are different ids.
@Suite("Ids are whole texts", .timeLimit(.minutes(30))) struct WholeTextTests {
    /// Pairs of ids that a careless comparison takes for one id.
    private static let alike = [
        ["zed", "zed\u{0}one", "zed\u{0}two", "zed\u{0}", "\u{0}zed", "\u{0}"],
        // The ids have the same letter as one character and as two characters.
        ["caf\u{E9}", "cafe\u{301}"], ["\u{1112}\u{1161}\u{11AB}", "\u{D55C}"], ["\u{212B}", "\u{C5}", "A\u{30A}"],
        ["x", "X", " x", "x ", "x\u{200B}"], ["\"", "\\", "\\u0000", "%00", "'", "zed'--"],
        [String(repeating: "l", count: 1_000), String(repeating: "l", count: 999) + "\u{0}"],
    ]
    private static let ids = alike.flatMap { $0 }

    private func path(_ name: String, _ value: String) -> String {
        let encoded = value.utf8.map { byte in
            let hex = String(byte, radix: 16)
            return "%" + (hex.count == 1 ? "0" : "") + hex
        }
        return name + encoded.joined()
    }

    /// Message ids have fewer characters than user ids may have.
    private func messageId(_ id: String) -> String {
        id.utf8.count < 80 ? "m-" + id : "long-\(id.utf8.filter { $0 == 0 }.count)"
    }

    private func fill(_ client: TestClient) async throws {
        let events: [JSON] = Self.ids.map { id in
            [
                "type": "track", "event": .string("E" + id), "userId": .string(id), "anonymousId": .string("a" + id),
                "messageId": .string(messageId(id)),
            ]
        }
        try await client.batch(events)
        // Each device sends an event without a user, and a rejected event with its own message id.
        try await client.batch(
            Self.ids.map { ["type": "track", "event": "Before", "anonymousId": .string("a" + $0)] })
        try await client.batch(
            Self.ids.map { ["type": "nothing", "messageId": .string(messageId($0)), "x": .string($0)] })
        let traces = Self.ids.map { Events.trace(messageId($0)) }
        _ = try await client.post("/v1/traces", ["writeKey": "WK", "traces": .array(traces)])
    }

    private func same(_ left: String?, _ right: String) -> Bool {
        left.map { Array($0.utf8) == Array(right.utf8) } ?? false
    }

    @Test("Texts with a NUL are listed, found, filtered and exported unchanged")
    func reading() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await fill(client)
            let events = try await client.events()
            #expect(events.count == 2 * Self.ids.count)
            for id in Self.ids {
                let named = events.filter { same($0["userId"]?.stringValue, id) }
                #expect(named.count == 1, "\(id.debugDescription)")
                #expect(same(named.first?["name"]?.stringValue, "E" + id))
                #expect(same(named.first?["messageId"]?.stringValue, messageId(id)))
                #expect(named.first?["stages"] != nil, "its trace is found by the message id")
                let filtered = try await client.get(path("/api/events?userId=", id)).json["events"]?.elements ?? []
                #expect(filtered.count == 1, "\(id.debugDescription): \(filtered.count)")
                let devices = try await client.get(path("/api/events?anonymousId=", "a" + id)).json["events"]?.elements
                #expect(devices?.count == 2, "\(id.debugDescription)")
                let byName = try await client.get(path("/api/events?name=", "E" + id)).json["events"]?.elements ?? []
                #expect(byName.count == 1)
                let single = try await client.get(path("/api/events/", messageId(id)))
                #expect(same(try single.json["userId"]?.stringValue, id), "\(id.debugDescription): \(single.text)")
            }
            let rejected = try await client.get("/api/rejected?limit=1000").json["rejected"]?.elements ?? []
            let rejectedIds = Set(rejected.map { Array(($0["messageId"]?.stringValue ?? "").utf8) })
            #expect(rejectedIds == Set(Self.ids.map { Array(messageId($0).utf8) }))
            let lines = try await client.get("/api/export").text.split(separator: "\n")
            let exported = try lines.map { try JSON.parse(Array($0.utf8))["userId"]?.stringValue }
            for id in Self.ids { #expect(exported.filter { same($0, id) }.count == 1) }
        }
    }

    @Test("The erasure of a user with a NUL in the id leaves all other users", arguments: ids)
    func erasing(_ id: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await fill(client)
            let answer = try await client.send("DELETE", path("/api/users/", id), body: nil)
            #expect(try answer.json["events"] == 2, "\(id.debugDescription): \(answer.text)")
            let events = try await client.events()
            #expect(!events.contains { same($0["userId"]?.stringValue, id) })
            #expect(!events.contains { same($0["anonymousId"]?.stringValue, "a" + id) })
            for other in Self.ids where !same(other, id) {
                #expect(
                    events.count { same($0["anonymousId"]?.stringValue, "a" + other) } == 2, "\(other.debugDescription)"
                )
            }
        }
    }

    @Test("Repeats of messages with a NUL in the id are recognised after a restart")
    func repeats() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        for _ in 0..<2 {
            try await TestWorkspace.run(in: folder) { workspace async throws in
                try await workspace.client.batch(Self.ids.map { Events.track(messageId: messageId($0), userId: $0) })
                #expect(try await workspace.client.events().count == Self.ids.count)
            }
        }
        #expect(!DataDoctor(examining: folder.path).hasProblems)
    }

    @Test("Events that wait for a destination keep their message ids")
    func undelivered() async throws {
        let folder = try TemporaryFolder()
        let store = try Store.testing(folder)
        try await store.pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO source (id, writeKey, name, createdAt, updatedAt, revision, integrations)
                    VALUES (1, 'WK', 'WK', 1, 1, 1, x'7b7d');
                    INSERT INTO destination (id, source, name, kind, settings, secret, secretChangedAt, isEnabled,
                        createdAt, updatedAt, revision, position) VALUES (1, 1, 'D', 'webhook', x'7b7d', x'00', 1, 1, 1, 1, 1, 0)
                    """)
        }
        var changes = ForwardingChanges()
        let ids = Self.ids + [""]
        for (index, id) in ids.enumerated() {
            let sequence = Int64(index + 1)
            changes.kept[sequence] = Undelivered(
                sequence: sequence, messageId: id, partition: ForwardedEvent.Partition(digest: Data([1])), deadAt: 5)
        }
        try await store.save(changes, of: 1)
        let letters = try await store.deadLetters(of: 1, after: 0, limit: 1_000)
        #expect(letters.map { Array($0.messageId.utf8) } == ids.map { Array($0.utf8) })
        try store.close()
    }
}
