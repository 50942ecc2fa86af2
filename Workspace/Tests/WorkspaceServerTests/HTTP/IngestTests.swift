import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(.timeLimit(.minutes(30))) struct IngestTests {
    @Test(
        "Every path for batches stores the events",
        arguments: ["/v1/b", "/v1/batch", "/v1/import", "/b", "/batch", "/import"])
    func batchPaths(_ path: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.post(
                path, ["batch": [Events.track(messageId: "m-1"), Events.track(messageId: "m-2")], "writeKey": "WK"])
            #expect(answer.status == 200)
            #expect(answer.text == #"{"success":true}"#)
            #expect(try await workspace.client.events().map { $0["messageId"] } == ["m-1", "m-2"])
        }
    }

    @Test("Every path for single events stores the event with the type of the path")
    func singleEventPaths() async throws {
        try await TestWorkspace.run { workspace async throws in
            let body: JSON = [
                "writeKey": "WK", "userId": "u", "event": "E", "name": "N", "groupId": "g", "previousId": "p",
            ]
            let paths = ["track", "identify", "page", "screen", "group", "alias", "t", "i", "p", "s", "g", "a"]
            for path in paths {
                #expect(try await workspace.client.post("/v1/\(path)", body).status == 200, "\(path)")
                #expect(try await workspace.client.post("/\(path)", body).status == 200, "\(path)")
            }
            let types = try await workspace.client.events().compactMap { $0["type"]?.stringValue }
            #expect(types.count == 24)
            for type in EventType.allCases { #expect(types.count { $0 == type.rawValue } == 4) }
        }
    }

    @Test("A write key is read from the body, two headers or the query")
    func writeKeyPlaces() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let body: JSON = ["batch": []]
            let basic = Data("WK:".utf8).base64EncodedString()
            let bare = Data("WK".utf8).base64EncodedString()
            #expect(try await client.post("/v1/b", ["batch": [], "writeKey": "WK"]).status == 200)
            #expect(try await client.post("/v1/b", body, headers: ["Authorization": "Basic \(basic)"]).status == 200)
            #expect(try await client.post("/v1/b", body, headers: ["Authorization": "Basic \(bare)"]).status == 200)
            #expect(try await client.post("/v1/b", body, headers: ["X-Write-Key": "WK"]).status == 200)
            #expect(try await client.post("/v1/b?writeKey=WK", body).status == 200)
            #expect(try await client.post("/v1/b", body).status == 401)
            #expect(try await client.post("/v1/b", ["batch": [], "writeKey": "other"]).status == 401)
            #expect(try await client.post("/v1/b", body, headers: ["Authorization": "Basic ?"]).status == 401)
        }
    }

    @Test func aBadEventDoesNotFailItsBatch() async throws {
        try await TestWorkspace.run { workspace async throws in
            let bad: JSON = ["type": "track", "userId": "u", "messageId": "bad"]
            for _ in 0..<2 {
                let answer = try await workspace.client.batch([
                    Events.track(messageId: "m-1"), bad, Events.track(messageId: "m-2"),
                ])
                #expect(answer.status == 200)
                #expect(answer.text == #"{"success":true}"#)
            }
            let rejected = try await workspace.client.get("/api/rejected").json["rejected"]?.elements ?? []
            #expect(rejected.count == 1)
            #expect(rejected.first?["event"] == bad)
            #expect(rejected.first?["code"] == "no_event_name")
        }
    }

    @Test func aMessageIsStoredOnceForEachSource() async throws {
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"]) { workspace async throws in
            let client = workspace.client
            try await client.batch([Events.track(messageId: "m"), Events.track(messageId: "m")])
            try await client.batch([Events.track(messageId: "m")])
            try await client.batch([Events.track(messageId: "m")], writeKey: "OTHER")
            #expect(try await client.events().map { $0["writeKey"] } == ["WK", "OTHER"])
            #expect(try await client.get("/api/stats?writeKey=WK").json["duplicates"] == 2)
            #expect(try await client.get("/api/stats?writeKey=OTHER").json["duplicates"] == 0)
        }
    }

    @Test("A stored event keeps the times of the client and has a corrected timestamp")
    func times() async throws {
        let now = try #require(ISO8601.milliseconds("2026-11-21T01:10:00.000Z"))
        var environment = WorkspaceEnvironment.system
        environment.now = { now }
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let event: JSON = [
                "batch": [Events.track(messageId: "m-1")], "sentAt": "2026-11-21T01:00:03.000Z", "writeKey": "WK",
            ]
            _ = try await workspace.client.post("/v1/b", event)
            let stored = try await workspace.client.get("/api/events/m-1").json
            #expect(stored["originalTimestamp"] == "2026-11-21T01:00:00.000Z")
            #expect(stored["sentAt"] == "2026-11-21T01:00:03.000Z")
            #expect(stored["receivedAt"] == "2026-11-21T01:10:00.000Z")
            #expect(stored["storedAt"] == "2026-11-21T01:10:00.000Z")
            #expect(stored["timestamp"] == "2026-11-21T01:09:57.000Z")
            _ = try await workspace.client.post(
                "/v1/b",
                ["batch": [Events.track(messageId: "m-2")], "sentAt": "2026-11-21T01:00:03.000Z", "writeKey": "WK"],
                headers: ["X-Sent-At": "2026-11-21T01:00:05.000Z"])
            let other = try await workspace.client.get("/api/events/m-2").json
            #expect(other["sentAt"] == "2026-11-21T01:00:05.000Z")
            #expect(other["timestamp"] == "2026-11-21T01:09:55.000Z")
        }
    }

    @Test("The server stores the JSON text of an event unchanged")
    func storedText() async throws {
        try await TestWorkspace.run { workspace async throws in
            let event =
                #"{"type":"track","b":1.50,"a":12345678901234567890123,"event":"é\n","userId":"u","messageId":"m"}"#
            let body = #"{"batch":[\#(event)],"writeKey":"WK"}"#
            _ = try await workspace.client.send("POST", "/v1/b", body: Array(body.utf8))
            #expect(try await workspace.client.get("/api/events/m").text.hasSuffix(#","event":\#(event)}"#))
        }
    }

    @Test("A body in gzip is stored, and a body in another encoding is refused")
    func gzip() async throws {
        try await TestWorkspace.run { workspace async throws in
            let body: JSON = ["batch": [Events.track(messageId: "m")], "writeKey": "WK"]
            let headers = ["Content-Encoding": "gzip"]
            let compressed = try Gzip.compress(body.encoded())
            let answer = try await workspace.client.send("POST", "/v1/b", body: compressed, headers: headers)
            #expect(answer.status == 200)
            #expect(try await workspace.client.events().count == 1)
            let plain = try await workspace.client.send("POST", "/v1/b", body: body.encoded(), headers: headers)
            #expect(plain.status == 400)
            #expect(try plain.json["error"]?.stringValue?.hasPrefix("the body is not gzip") == true)
            let other = try await workspace.client.send(
                "POST", "/v1/b", body: compressed, headers: ["Content-Encoding": "br"])
            #expect(other.status == 415)
        }
    }

    @Test func aGzipBombIsRefused() async throws {
        try await TestWorkspace.run { workspace async throws in
            let bomb = try Gzip.compress([UInt8](repeating: UInt8(ascii: " "), count: 64 << 20))
            #expect(bomb.count < 100_000)
            let answer = try await workspace.client.send(
                "POST", "/v1/b", body: bomb, headers: ["Content-Encoding": "gzip"])
            #expect(answer.status == 400)
            #expect(try answer.json["error"]?.stringValue?.contains("too large") == true)
            #expect(try await workspace.client.get("/v1/health").status == 200)
        }
    }

    @Test("A malformed body is refused with the reason")
    func malformedBodies() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            func error(_ body: String, path: String = "/v1/b") async throws -> String {
                let answer = try await client.send("POST", path, body: Array(body.utf8))
                #expect(answer.status == 400)
                #expect(try answer.json["success"] == false)
                return try answer.json["error"]?.stringValue ?? ""
            }
            #expect(try await error(#"{"batch":[}"#).hasSuffix("(line 1, column 11)"))
            #expect(try await error("").contains("not JSON"))
            #expect(try await error("[]").contains("must be a JSON object"))
            #expect(try await error("7", path: "/v1/track").contains("must be a JSON object"))
            #expect(try await error(#"{"writeKey":"WK"}"#).contains("batch must be an array"))
            #expect(try await error(String(repeating: "[", count: 10_000)).contains("not JSON"))
        }
    }

    @Test("A batch with too many events or bytes is refused as a whole")
    func tooLarge() async throws {
        try await TestWorkspace.run { workspace async throws in
            let many = JSON.array(Array(repeating: Events.track(messageId: "m"), count: Limits.eventsInBatch + 1))
            let answer = try await workspace.client.post("/v1/b", ["batch": many, "writeKey": "WK"])
            #expect(answer.status == 400)
            #expect(try answer.json["error"]?.stringValue?.contains("2501") == true)
            let body = [UInt8](repeating: UInt8(ascii: " "), count: Limits.ingestBody + 1)
            #expect(try await workspace.client.send("POST", "/v1/b", body: body).status == 400)
            #expect(try await workspace.client.events().isEmpty)
        }
    }

    @Test("Acknowledged events wait while the database is full")
    func fullDatabase() async throws {
        try await TestWorkspace.run { workspace async throws in
            func allow(pages: Int) throws {
                try workspace.store.pool.writeWithoutTransaction { db in
                    try db.execute(sql: "PRAGMA max_page_count = \(pages)")
                }
            }
            try allow(pages: 1)
            #expect(
                try await workspace.client.batch((0..<200).map { Events.track(messageId: "m-\($0)") }).status == 200)
            while try await workspace.client.get("/v1/ready").status == 200 {}
            #expect(try await workspace.client.get("/v1/ready").json["status"] == "storage fails")
            #expect(try await workspace.client.get("/v1/health").status == 200)
            try allow(pages: 1 << 30)
            #expect(try await workspace.client.events().count == 200)
            #expect(try await workspace.client.get("/v1/ready").json["status"] == "ready")
        }
    }

    /// The sweep of old days waits first until the requests are stored that an earlier run left.
    @Test("A server stops while its storage fails, and keeps what waits")
    func stopWhileStorageFails() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder) { workspace async throws in
            try await workspace.store.pool.write { db in
                try db.execute(
                    sql: "CREATE TRIGGER fails BEFORE INSERT ON recentMessages BEGIN SELECT RAISE(ABORT, 'fails'); END")
            }
            #expect(try await workspace.client.batch([Events.track(messageId: "m-1")]).status == 200)
        }
        try await TestWorkspace.run(in: folder) { workspace async throws in
            while try await workspace.client.get("/v1/ready").status == 200 {}
        }
        try await TestWorkspace.run(in: folder) { workspace async throws in
            try await workspace.store.pool.write { db in
                try db.execute(sql: "DROP TRIGGER fails")
            }
            #expect(try await workspace.client.events().count == 1)
        }
    }

    @Test("A server with a full journal answers 429 until the waiting events are stored")
    func fullJournal() async throws {
        try await TestWorkspace.run(journalBytes: 20_000) { workspace async throws in
            let (held, isHeld) = AsyncStream.makeStream(of: Void.self)
            let gate = DispatchSemaphore(value: 0)
            let store = workspace.store
            DispatchQueue.global().async {
                store.pool.writeWithoutTransaction { _ in
                    isHeld.finish()
                    gate.wait()
                }
            }
            for await _ in held {}
            var sent = 0
            var answer = try await workspace.client.batch([Events.track(messageId: "m-0")])
            while answer.status == 200, sent < 1_000 {
                sent += 1
                answer = try await workspace.client.batch([Events.track(messageId: "m-\(sent)")])
            }
            #expect(answer.status == 429)
            #expect(answer.header("Retry-After") != nil)
            #expect(try await workspace.client.get("/v1/ready").status == 503)
            gate.signal()
            #expect(try await workspace.client.events().count == sent)
            // The journal has room again a moment after the events are stored.
            repeat {
                answer = try await workspace.client.batch([Events.track(messageId: "last")])
            } while answer.status == 429
            #expect(answer.status == 200)
            #expect(try await workspace.client.events().count == sent + 1)
        }
    }

    @Test("Pages of every origin may send events, but may not read the administration")
    func crossOrigin() async throws {
        try await TestWorkspace.run { workspace async throws in
            let preflight = try await workspace.client.send("OPTIONS", "/v1/b", body: nil)
            #expect(preflight.status == 204)
            #expect(preflight.header("Access-Control-Allow-Origin") == "*")
            #expect(preflight.header("Access-Control-Allow-Methods")?.contains("POST") == true)
            let headers = preflight.header("Access-Control-Allow-Headers")?.split(separator: ", ") ?? []
            #expect(Set(headers).isSuperset(of: ["Authorization", "Content-Type", "*"]))
            let answer = try await workspace.client.batch([])
            #expect(answer.header("Access-Control-Allow-Origin") == "*")
            // A page has to know how long to wait after a 429.
            #expect(answer.header("Access-Control-Expose-Headers") == "Retry-After")
            let administration = try await workspace.client.send("OPTIONS", "/api/events", body: nil)
            #expect(administration.status == 405)
            #expect(administration.header("Access-Control-Allow-Origin") == nil)
            #expect(administration.header("Access-Control-Expose-Headers") == nil)
        }
    }

    @Test func tracesAreJoinedToTheirEvents() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let bad: JSON = ["messageId": "x"]
            let answer = try await client.post(
                "/v1/traces", ["writeKey": "WK", "traces": [Events.trace("m"), bad]])
            #expect(answer.status == 200)
            try await client.batch([Events.track(messageId: "m"), Events.track(messageId: "untraced")])
            let event = try await client.get("/api/events/m").json
            #expect(event["trackedAt"] == Events.trace("m")["trackedAt"])
            #expect(event["stages"] == Events.trace("m")["stages"])
            #expect(try await client.get("/api/events/untraced").json["stages"] == nil)
            #expect(try await client.get("/api/stats").json["latency"]?["count"] == 1)
            #expect(try await client.get("/api/rejected").json["rejected"]?[0]?["event"] == bad)
            #expect(try await client.post("/v1/traces", ["traces": []]).status == 401)
        }
    }

    @Test func droppedEventsAreListed() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            var trace = Events.trace("m", outcome: "dropped")
            trace["droppedBy"] = ["stage": "filter", "plugin": "P"]
            for traces: [JSON] in [[Events.trace("m")], [trace], [Events.trace("other")]] {
                _ = try await client.post("/v1/traces", ["writeKey": "WK", "traces": .array(traces)])
            }
            let drops = try await client.get("/api/drops").json
            #expect(drops["drops"]?.elements?.count == 1)
            #expect(drops["drops"]?[0]?["messageId"] == "m")
            #expect(drops["drops"]?[0]?["droppedBy"] == trace["droppedBy"])
            #expect(drops["next"] == .null)
            #expect(try await client.get("/api/stats").json["tracedDrops"] == 1)
        }
    }
}
