import Crypto
import Foundation
import GRDB
import Testing
import TributaryJSON
import TributaryJournal

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Suppressed users", .timeLimit(.minutes(30))) struct SuppressionTests {
    private static let user = "user-4711@example.com"
    private static let path = "/api/suppressions?userId=user-4711%40example.com"

    /// A type of event with what it needs.
    private static func event(_ type: String, _ id: String, _ who: JSON = ["userId": .string(user)]) -> JSON {
        var event: JSON = [
            "type": .string(type), "messageId": .string(id), "event": "E", "groupId": "g", "previousId": "p",
            "timestamp": "2026-11-21T01:00:00.000Z",
        ]
        for (name, value) in who.objectValue ?? [:] { event[name] = value }
        return event
    }

    private static func events(_ way: String, _ who: JSON = ["userId": .string(user)]) -> [JSON] {
        (0..<125).map { event("track", "\(way)-\($0)", who) }
    }

    private static func batch(_ events: [JSON]) -> JSON { ["writeKey": "WK", "batch": .array(events)] }

    /// What is stored besides rejected events.
    private static func counts(_ client: TestClient) async throws -> [Int?] {
        let stats = try await client.get("/api/stats").json
        let signals = try await client.get("/api/signals").json["signals"]?.elements?.count
        return ["stored", "rejected"].map { stats[$0]?.intValue } + [signals]
    }

    @Test("Of 1,000 events of a suppressed user in eight ways of coming in, none is stored")
    func ways() async throws {
        let folder = try TemporaryFolder()
        // A request that was acknowledged before the suppression, and not indexed: the server died.
        try await TestWorkspace.run(in: folder) { workspace async throws in
            let path = Self.path
            #expect(try await workspace.client.put(path, #"{"reason":"asked on the phone"}"#).status == 200)
        }
        let data = try DataFolder(path: folder.path)
        let journal = try IngestJournal(folder: data, capacity: 1 << 24)
        let waiting = AcceptedRequest(
            form: .batch, isCompressed: false, source: 1, receivedAt: 1_800_000_000_000, uploadedAt: nil,
            body: Self.batch(Self.events("journal")).encoded())
        try await journal.append(waiting)
        journal.close()
        data.release()

        try await TestWorkspace.run(in: folder) { workspace async throws in
            let client = workspace.client
            func send(_ path: String, _ body: [UInt8], _ headers: [String: String] = [:]) async throws {
                let answer = try await client.send("POST", path, body: body, headers: headers)
                #expect(answer.status == 200, "\(path): \(answer.text)")
            }
            try await send("/v1/b", Self.batch(Self.events("batch")).encoded())
            for index in 0..<125 {
                let type = ["track", "identify", "page", "screen", "group", "alias"][index % 6]
                var single = Self.event(type, "single-\(index)")
                single["writeKey"] = "WK"
                try await send("/v1/\(type)", single.encoded())
            }
            try await send(
                "/v1/import", try Gzip.compress(Self.batch(Self.events("gzip")).encoded()),
                ["Content-Encoding": "gzip"])
            let imported = try await client.send(
                "POST", "/v1/batch", body: Self.batch(Self.events("import")).encoded(),
                headers: ["Tributary-Import": "true"])
            #expect(imported.status == 200)
            // Users that stand deeper in the event: traits, the context that a batch shares, former ids.
            let deep: [JSON] = [
                ["anonymousId": "a", "context": ["traits": ["userId": .string(Self.user)]]],
                ["userId": "other", "previousId": .string(Self.user)],
                ["anonymousId": "a", "traits": ["id": .string(Self.user)]],
            ]
            try await send(
                "/v1/b",
                Self.batch((0..<65).map { Self.event("identify", "deep-\($0)", deep[$0 % 3]) }).encoded())
            var shared = Self.batch((0..<60).map { Self.event("track", "shared-\($0)", ["anonymousId": "a"]) })
            shared["context"] = ["traits": ["userId": .string(Self.user)]]
            try await send("/v1/b", shared.encoded())
            // What would become a dead letter: a track without a name.
            let bad = (0..<125).map { index -> JSON in
                ["type": "track", "messageId": .string("bad-\(index)"), "userId": .string(Self.user)]
            }
            try await send("/v1/b", Self.batch(bad).encoded())
            let signals = (0..<125).map { index -> JSON in
                [
                    "type": "interaction", "index": .number(index), "anonymousId": "a",
                    "timestamp": "2026-11-21T01:00:00.000Z", "data": ["userId": .string(Self.user)],
                ]
            }
            try await send("/v1/signals?writeKey=WK", JSON.array(signals).encoded())
            #expect(try await Self.counts(client) == [0, 0, 0])
            #expect(try await client.get("/api/rejected").json["rejected"] == [])
            #expect(try await client.get("/api/suppressions").json["refused"] == 1_000)
            let held = try DataFiles.containing(Self.user, in: folder.path).filter { !$0.hasPrefix("journal/") }
            #expect(held == [], "not the list, either")
            // Others are stored, in the same requests, too.
            try await send(
                "/v1/b",
                Self.batch([Self.event("track", "other", ["userId": "other"])] + Self.events("again")).encoded())
            #expect(try await client.events().map { $0["messageId"] } == ["other"])
            #expect(try await client.send("DELETE", Self.path, body: nil).json == ["removed": 1])
            try await send("/v1/b", Self.batch(Self.events("later")).encoded())
            #expect(try await Self.counts(client) == [126, 0, 0])
        }
    }

    @Test("A trace that names a suppressed user is not stored")
    func traces() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            #expect(try await client.put(Self.path, "").status == 200)
            var trace = Events.trace("t-1")
            trace["stages"] = [
                ["stage": "s", "plugin": "P", "outcome": "changed", "event": ["userId": .string(Self.user)]]
            ]
            _ = try await client.post("/v1/traces", ["writeKey": "WK", "traces": [trace, Events.trace("t-2")]])
            _ = try await client.events()
            #expect(try await client.get("/api/suppressions").json["refused"] == 1)
        }
    }

    @Test("Each event of an import keeps its line in the answer, whatever is left out before it")
    func importLines() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            _ = try await client.put(Self.path, "{}")
            let batch: JSON = [
                "writeKey": "WK",
                "batch": [
                    Self.event("track", "a"), ["type": "nonsense", "userId": "x"],
                    Self.event("track", "b", ["userId": "x"]),
                ],
            ]
            let answer = try await client.post("/v1/batch", batch, headers: ["Tributary-Import": "true"]).json
            #expect(answer["stored"] == 1)
            #expect(answer["suppressed"] == 1)
            #expect(answer["rejected"]?[0]?["index"] == 1)
        }
    }

    @Test(
        "What an erased user did before is not stored again, weeks later and under other message ids; what comes later is"
    )
    func erased() async throws {
        let clock = TestClock()
        var environment = WorkspaceEnvironment.testing
        environment.now = { clock.now }
        func event(_ id: String, _ who: JSON, at time: Int64) -> JSON {
            var event = Self.event("track", id, who)
            event["timestamp"] = .time(time)
            return event
        }
        let (user, device): (JSON, JSON) = (
            ["userId": .string(Self.user), "anonymousId": "d-1"], ["anonymousId": "d-1"]
        )
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            let before = clock.now
            try await client.batch([event("1", device, at: before), event("2", user, at: before)])
            #expect(try await client.events().count == 2)
            clock.advance(by: 1_000)
            let answer = try await client.send("DELETE", "/api/users/user-4711%40example.com", body: nil)
            #expect(try answer.json["events"] == 2)
            clock.advance(by: 21 * Day.milliseconds)
            try await client.batch([
                event("1", device, at: before), event("2", user, at: before),
                // Without its message id, as another node of a cluster sees it.
                event("3", device, at: before), event("4", user, at: before),
                event("5", ["userId": "other", "anonymousId": "d-1"], at: before),
                event("6", device, at: clock.now), event("7", user, at: clock.now),
            ])
            #expect(try await client.events().map { $0["messageId"] } == ["5", "6", "7"])
            // Erased once more, and suppressed: the devices, too.
            let path = "/api/users/user-4711%40example.com?suppress=true&reason=asked"
            #expect(try await client.send("DELETE", path, body: nil).json["events"] == 2)
            clock.advance(by: 1_000)
            try await client.batch([event("8", device, at: clock.now), event("9", user, at: clock.now)])
            #expect(try await client.events().map { $0["messageId"] } == ["5"])
            let list = try await client.get("/api/suppressions").json["suppressions"]?.elements ?? []
            #expect(Set(list.map { $0["kind"]?.stringValue }) == ["user", "device"])
            #expect(list.allSatisfy { $0["suppressed"] == true && $0["reason"] == "asked" && $0["by"] == "token" })
            #expect(try await client.send("DELETE", Self.path, body: nil).json == ["removed": 2])
            try await client.batch([event("10", device, at: clock.now), event("11", user, at: before)])
            #expect(try await client.events().map { $0["messageId"] } == ["5", "10"], "what was erased stays erased")
        }
    }

    @Test("A webhook that takes deletions is asked to delete, with a signature, until it answers")
    func deletionRequest() async throws {
        let receiver = Receiver { delivery, before in
            Receiver.Answer(status: delivery.event["type"] == "delete" && before == 0 ? 503 : 200)
        }
        let folder = try TemporaryFolder()
        try await receiver.run { url in
            try await TestWorkspace.run(in: folder, deletionPause: .milliseconds(20)) { workspace async throws in
                let client = workspace.client
                for (name, more) in [("Takes", #","deletions":true"#), ("Not", "")] {
                    let body = #"{"kind":"webhook","settings":{"url":"\#(url)/\#(name)"\#(more)}}"#
                    #expect(try await client.put("/api/sources/WK/destinations/\(name)", body).status == 201)
                }
                try await client.batch([Self.event("track", "1", ["userId": .string(Self.user), "anonymousId": "d-1"])])
                _ = await receiver.accepts(2)
                #expect(try await client.send("DELETE", "/api/users/user-4711%40example.com", body: nil).status == 200)
                _ = await receiver.accepts(3)
                let requests = receiver.deliveries.filter { $0.event["type"] == "delete" }
                #expect(Set(requests.map(\.path)) == ["/Takes"])
                #expect(Set(requests.map(\.id)).count == 1 && requests.count == 2)
                #expect(requests.last?.event["userId"]?.stringValue == Self.user)
                #expect(requests.last?.event["anonymousIds"] == ["d-1"])
                #expect(requests.last?.headers["webhook-signature"]?.hasPrefix("v1,") == true)
                var state: JSON = [:]
                while state["state"] != "accepted" {
                    let path = "/api/sources/WK/destinations/Takes/deletions"
                    state = try await client.get(path).json["deletions"]?[0] ?? [:]
                }
                #expect(state["attempts"] == 2)
                #expect(try await client.get("/api/sources/WK/destinations/Not/deletions").json["deletions"] == [])
                let bodies = try await workspace.store.pool.read { db in
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM deletionRequest WHERE body IS NOT NULL")
                }
                #expect(bodies == 0, "the record does not name the user")
            }
        }
    }

    @Test("The suppress commands add, show and remove")
    func commands() async throws {
        try await TestWorkspace.run { workspace async throws in
            let server = ["--server", workspace.client.url]
            let added = try await CommandRun.finish(["suppress", "add", "u/1 x", "--reason", "by letter"] + server)
            #expect(added.status == 0, "\(added.errors)")
            let list = try await CommandRun.finish(["suppress", "list"] + server)
            #expect(list.output.contains("user  suppressed  by token at"))
            #expect(list.output.contains("by letter"))
            #expect(!list.output.contains("u/1 x"))
            #expect(try await CommandRun.finish(["suppress", "list", "--user", "u/1 x"] + server).status == 0)
            let unknown = try await CommandRun.finish(["suppress", "list", "--device", "u/1 x"] + server)
            #expect(unknown.status == 1)
            try await workspace.client.batch([Events.track(messageId: "m", userId: "u/1 x")])
            #expect(try await workspace.client.events().isEmpty)
            #expect(try await CommandRun.finish(["suppress", "remove", "u/1 x"] + server).status == 0)
            #expect(try await CommandRun.finish(["suppress", "remove", "u/1 x"] + server).status != 0)
            #expect(try await workspace.client.get("/api/audit").text.contains("suppression ended"))
        }
    }

    @Test(
        "Requests about suppressions that make no sense are refused",
        arguments: [
            ("PUT", "/api/suppressions?userId=u", #"{"reason":7}"#),
            ("PUT", "/api/suppressions?userId=u", #"{"x":""}"#),
            ("PUT", "/api/suppressions?userId=u", "[]"), ("GET", "/api/suppressions?after=xyz", ""),
            ("DELETE", "/api/users/u?suppress=perhaps", ""), ("DELETE", "/api/suppressions", ""),
            ("PUT", "/api/suppressions?userId=%20", #"{"reason":""}"#),
            ("PUT", "/api/suppressions?userId=u&anonymousId=u", "{}"),
            ("PUT", "/api/suppressions?userId=u", #"{"reason":"\#(String(repeating: "x", count: 501))"}"#),
        ])
    func refused(_ method: String, _ path: String, _ body: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.send(method, path, body: body.isEmpty ? nil : Array(body.utf8))
            #expect(answer.status == 400, "\(answer.text)")
            #expect(try await workspace.client.stranger.send(method, path, body: nil).status == 401)
        }
    }

    @Test("Ids are compared by their bytes, and dots are an id, too", .serialized, arguments: [false, true])
    func exactIds(isErased: Bool) async throws {
        let (composed, decomposed) = ("J\u{FC}rgen", "Ju\u{308}rgen")
        try await TestWorkspace.run { workspace async throws in
            let (client, server) = (workspace.client, ["--server", workspace.client.url])
            for id in [composed, ".."] {
                let command = isErased ? ["erase", "--suppress", "--user", id, "--yes"] : ["suppress", "add", id]
                let run = try await CommandRun.finish(command + server)
                #expect(run.status == 0, "\(run.errors)")
            }
            for (id, isThere) in [(composed, true), (decomposed, false), ("..", true), (".", false)] {
                let list = try await CommandRun.finish(["suppress", "list", "--user", id] + server)
                #expect(list.status == (isThere ? 0 : 1), "\(id)")
            }
            let ids = [composed, decomposed, "..", "."]
            var events = ids.enumerated().map { Self.event("track", "\($0)", ["userId": .string($1)]) }
            // The column has one form, the traits have the other.
            events.append(
                Self.event("track", "4", ["userId": .string(decomposed), "traits": ["userId": .string(composed)]]))
            // The value that is nested too deeply does not hide the user.
            var deep: JSON = ["userId": "x"]
            for _ in 0..<200 { deep = [deep] }
            events.append(Self.event("track", "5", ["properties": ["deep": deep], "userId": .string(composed)]))
            try await client.batch(events)
            #expect(try await client.events().compactMap { $0["messageId"]?.stringValue }.sorted() == ["1", "3"])
            #expect(try await client.get("/api/suppressions").json["refused"] == 4)
            let shown = try await CommandRun.finish(["consent", "show", decomposed, "--json"] + server)
            #expect(shown.output.contains(#""messageId":"1""#), "\(shown.output)")
            let dots = try await CommandRun.finish(["consent", "show", "."] + server)
            #expect(dots.status == 0 && !dots.output.contains("no event"), "\(dots.errors)")
            #expect(try await CommandRun.finish(["consent", "show", ".."] + server).output.contains("no event"))
            #expect(try await CommandRun.finish(["suppress", "remove", decomposed] + server).status != 0)
            for id in [composed, ".."] {
                #expect(try await CommandRun.finish(["suppress", "remove", id] + server).status == 0)
            }
            // What happened before an erasure stays out; this happens now.
            var now = Self.event("track", "6", ["userId": ".."])
            now["timestamp"] = nil
            try await client.batch([now])
            #expect(try await client.events().count == 3)
        }
    }

    @Test("A time that a server corrected before decides whether an event is from before an erasure")
    func correctedTimes() async throws {
        let clock = TestClock()
        var environment = WorkspaceEnvironment.testing
        environment.now = { clock.now }
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            let erased = clock.now
            #expect(try await client.send("DELETE", "/api/users?userId=u", body: nil).status == 200)
            clock.advance(by: 1_000_000)
            func event(_ id: String, _ times: [String: Int64]) -> JSON {
                var event: JSON = ["type": "track", "event": "E", "messageId": .string(id), "userId": "u"]
                for (name, time) in times { event[name] = .time(time) }
                return event
            }
            try await client.batch([
                event("before", ["originalTimestamp": erased - 1_000]),
                event("after", ["originalTimestamp": erased + 1_000]),
                event("corrected before", ["timestamp": erased - 1_000, "originalTimestamp": erased + 5_000]),
                // Corrected again with the time of sending, it would have happened before the erasure.
                event(
                    "corrected after",
                    ["timestamp": erased + 1_000, "receivedAt": erased + 2_000, "sentAt": erased + 1_500_000]),
            ])
            #expect(
                try await client.events().compactMap { $0["messageId"]?.stringValue } == ["after", "corrected after"])
        }
    }

    @Test("A list without the secret of the workspace says nothing about ids")
    func digests() {
        let id = Data("u".utf8)
        let one = SuppressionList.digest(.user, id, secret: .init(data: Data([1])))
        #expect(one != SuppressionList.digest(.user, id, secret: .init(data: Data([2]))))
        #expect(one != SuppressionList.digest(.device, id, secret: .init(data: Data([1]))))
        #expect(Data(hexadecimal: one.hexadecimal) == one)
        #expect(Data(hexadecimal: "0") == nil && Data(hexadecimal: "zz") == nil)
    }
}
