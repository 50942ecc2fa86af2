import ClusterTestKit
import Foundation
import Testing
import TributaryJSON

@testable import ClusterNATS
@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(
    "Consent and suppression in a cluster", JetStreams.isInstalled, Stores.isInstalled, .serialized,
    .timeLimit(.minutes(30)))
struct ClusterConsentTests {
    private static let categories = ["advertising", "analytics", "functional", "personalization"]

    private func servers(_ count: Int, files: String? = nil) async throws -> [ClusterServer] {
        try await ClusterServer.start(count) { name in
            try await ClusterServer(
                name, nats: try await JetStreams.engines, stores: try await Stores.engines, files: files)
        }
    }

    private func event(_ id: String, _ more: JSON) -> JSON {
        var event: JSON = [
            "type": "track", "event": "Step", "messageId": .string(id), "timestamp": "2026-11-21T01:00:00.000Z",
        ]
        for (name, value) in more.objectValue ?? [:] { event[name] = value }
        return event
    }

    private func refusing(_ category: String?, _ id: String, of user: Int) -> JSON {
        var preferences: JSON = [:]
        for name in Self.categories { preferences[name] = .bool(name != category) }
        return event(id, ["userId": .string("u\(user)"), "context": ["consent": ["categoryPreferences": preferences]]])
    }

    @Test("Of 1,000 events that refuse one of four categories, none leaves a cluster of three nodes")
    func refused() async throws {
        let files = try EngineFolder()
        let servers = try await servers(3, files: files.path)
        for part in 0..<4 {
            let events = (0..<250).map { refusing(Self.categories[$0 % 4], "r-\(part)-\($0)", of: $0 % 7) }
            #expect(try await servers[part % 3].send(events) == 200)
        }
        #expect(try await servers[0].send([refusing(nil, "allowed", of: 1)]) == 200)
        #expect(try await servers[0].get("/api/stats?writeKey=WK")["stored"]?.intValue == 1_001)
        for name in ["A", "B", "C"] {
            let body: JSON = [
                "kind": "files", "settings": [:], "from": "start", "categories": .strings(Self.categories),
            ]
            #expect(try await servers[1].ask("PUT", "/api/sources/WK/destinations/\(name)", body).status == 201)
        }
        for name in ["A", "B", "C"] {
            var destination: JSON = [:]
            func count(_ name: String) -> Int { destination[name]?.intValue ?? 0 }
            // A destination whose node changes may get an event twice.
            while count("withheld") < 1_000 || count("delivered") < 1 {
                try await Task.sleep(for: .milliseconds(50))
                destination = try await servers[2].get("/api/sources/WK/destinations/\(name)")
            }
        }
        let names = FileManager.default.enumerator(atPath: files.path)?.compactMap { $0 as? String } ?? []
        let texts = try names.filter { $0.hasSuffix(".ndjson") }
            .map { try String(contentsOfFile: "\(files.path)/\($0)", encoding: .utf8) }
        #expect(texts.count == 3)
        // A line is complete once its file is; each event is there at least once.
        let lines = texts.flatMap { $0.split(separator: "\n") }
        #expect(lines.filter { !$0.contains(#""messageId":"allowed""#) } == [])
        for server in servers { try await server.stop() }
    }

    @Test("Of 1,000 events of suppressed and erased users, none is stored through any of three nodes")
    func suppressed() async throws {
        let servers = try await servers(3)
        func follows(_ path: String) async throws {
            for server in servers {
                while try await server.get(path)["suppressions"] == [] { try await Task.sleep(for: .milliseconds(20)) }
            }
        }
        let before = ["erased-0", "erased-1"].map { event($0, ["userId": "gone", "anonymousId": "phone"]) }
        #expect(try await servers[0].send(before) == 200)
        #expect(try await servers[1].get("/api/stats?writeKey=WK")["stored"]?.intValue == 2)
        #expect(try await servers[0].ask("PUT", "/api/suppressions?userId=never", ["reason": "asked"]).status == 200)
        while try await servers[1].ask("DELETE", "/api/users/gone").status == 202 {}
        try await follows("/api/suppressions?userId=never")
        try await follows("/api/suppressions?userId=gone")
        try await follows("/api/suppressions?anonymousId=phone")
        for part in 0..<8 {
            let who: JSON = [
                ["userId": "never"], ["userId": "gone"], ["anonymousId": "phone"],
                ["anonymousId": "x", "context": ["traits": ["userId": "never"]]],
            ][part % 4]
            let sent = before + (2..<125).map { event("s-\(part)-\($0)", who) }
            #expect(try await servers[part % 3].send(sent) == 200)
        }
        #expect(try await servers[2].send([event("other", ["userId": "other"])]) == 200)
        let found = try await servers[0].get("/api/events?limit=1000")["events"]?.elements ?? []
        #expect(found.compactMap { $0["messageId"]?.stringValue } == ["other"])
        for server in servers { try await server.stop() }
    }
}
