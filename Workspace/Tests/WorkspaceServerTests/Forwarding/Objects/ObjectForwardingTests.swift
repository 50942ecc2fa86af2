import Foundation
import GRDB
import GzipReading
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Destinations of the kind s3 with a real server. Tests/Server/objects_test.py has them with a store of another maker.
@Suite("Events in a store of objects", .timeLimit(.minutes(30))) struct ObjectForwardingTests {
    private static let path = "/api/sources/WK/destinations/Lake"
    private static let hour: Int64 = 3_600_000

    private let clock = TestClock()
    private var environment: WorkspaceEnvironment {
        var environment = WorkspaceEnvironment.testing
        environment.now = { [clock] in clock.now }
        return environment
    }

    private static func make(_ client: TestClient, _ url: String, more: String = "") async throws {
        let settings = #"{"endpoint":"\#(url)","bucket":"events","accessKey":"AK","prefix":"raw"}"#
        let answer = try await client.put(
            path, #"{"kind":"s3","settings":\#(settings),"secret":"SK","from":"start"\#(more)}"#)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(!answer.text.contains("SK"))
    }

    /// The ids of the events in an object, in their order.
    private static func ids(_ delivery: Receiver.Delivery) throws -> [String] {
        let text = String(decoding: try Gunzip.inflate(delivery.body, limit: 1 << 20), as: UTF8.self)
        return try text.split(separator: "\n").compactMap { try JSON.parse(String($0))["messageId"]?.stringValue }
    }

    private static func send(_ client: TestClient, _ numbers: Range<Int>) async throws {
        try await client.batch(numbers.map { Events.track(messageId: "m-\($0)", userId: "u-\($0 % 3)") })
        _ = try await client.events()
    }

    /// Asks for the destination until the condition holds; the time limit of the suite ends an endless wait.
    private static func until(_ client: TestClient, _ holds: (JSON) -> Bool) async throws -> JSON {
        while true {
            let destination = try await client.get(path).json
            if holds(destination) { return destination }
        }
    }

    @Test("The events of an hour are an object, written when the hour is over, with a signature of the keys")
    func hours() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run(environment: environment) { workspace async throws in
                let client = workspace.client
                try await Self.send(client, 0..<20)
                try await Self.make(client, url)
                let waiting = try await Self.until(client) { $0["waiting"] == 20 }
                #expect(waiting["caughtUp"] == false)
                #expect(waiting["state"] == "delivering")
                let first = ISO8601.string(milliseconds: clock.now).prefix(13)
                clock.advance(by: Self.hour + Limits.fileGraceMilliseconds)
                let object = try #require(await receiver.accepts(1).first)
                #expect(object.path == "/events/raw/WK/Lake/\(first)-0000000000000001.ndjson.gz")
                #expect(object.headers["content-type"] == "application/gzip")
                #expect(object.headers["x-amz-content-sha256"] == S3Signature.digest(object.body))
                let names = ["content-type", "x-amz-content-sha256", "x-amz-date"]
                var headers = Dictionary(uniqueKeysWithValues: names.map { ($0, object.headers[$0] ?? "") })
                headers["host"] = String(url.dropFirst("http://".count))
                let request = S3Signature.Request(
                    method: "PUT", path: object.path,
                    headers: headers, bodyDigest: S3Signature.digest(object.body))
                let signature = S3Signature(accessKey: "AK", secret: Array("SK".utf8), region: "us-east-1")
                #expect(
                    object.headers["authorization"]
                        == signature.authorization(request, time: object.headers["x-amz-date"] ?? ""))
                #expect(try Self.ids(object) == (0..<20).map { "m-\($0)" })
                let done = try await Self.until(client) { $0["delivered"] == 20 && $0["caughtUp"] == true }
                #expect(done["waiting"] == 0)
                try await Self.send(client, 20..<22)
                let second = ISO8601.string(milliseconds: clock.now).prefix(13)
                clock.advance(by: Self.hour)
                let objects = await receiver.accepts(2)
                #expect(objects.last?.path == "/events/raw/WK/Lake/\(second)-0000000000000021.ndjson.gz")
                #expect(try objects.last.map(Self.ids) == ["m-20", "m-21"])
            }
        }
    }

    @Test(
        "After a crash before the position was stored, the same object is written again, with later events in another")
    func crash() async throws {
        let (receiver, folder) = (Receiver(), try TemporaryFolder())
        try await receiver.run { url in
            try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
                try await Self.send(workspace.client, 0..<3)
                try await Self.make(workspace.client, url)
                clock.advance(by: Self.hour + Limits.fileGraceMilliseconds)
                _ = try await Self.until(workspace.client) { $0["delivered"] == 3 }
                // As a crash right after the object was written leaves it.
                _ = try await workspace.client.put(Self.path, #"{"enabled":false}"#)
                try await workspace.store.pool.write { db in
                    try db.execute(sql: "UPDATE destination SET position = 0, delivered = 0, isEnabled = 1")
                }
            }
            try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
                try await Self.send(workspace.client, 3..<5)
                _ = try await Self.until(workspace.client) { $0["delivered"] == 3 }
                clock.advance(by: Self.hour + Limits.fileGraceMilliseconds)
                _ = try await Self.until(workspace.client) { $0["delivered"] == 5 }
            }
        }
        let objects = receiver.accepted
        #expect(objects.count == 3)
        #expect(objects.first?.path == objects.dropFirst().first?.path)
        #expect(objects.first?.body == objects.dropFirst().first?.body)
        let last = Dictionary(objects.map { ($0.path, $0) }) { $1 }
        #expect(try last.values.flatMap(Self.ids).sorted() == ["m-0", "m-1", "m-2", "m-3", "m-4"])
    }

    @Test(
        "A store that refuses is named with what to do; once it takes objects, nothing is missing and nothing doubled")
    func refusal() async throws {
        let receiver = Receiver { _, before in
            before < 2
                ? Receiver.Answer(status: 403, body: "<Error><Code>AccessDenied</Code></Error>") : Receiver.Answer()
        }
        try await receiver.run { url in
            try await TestWorkspace.run(environment: environment) { workspace async throws in
                let client = workspace.client
                try await Self.send(client, 0..<3)
                try await Self.make(client, url)
                clock.advance(by: Self.hour + Limits.fileGraceMilliseconds)
                let waiting = try await Self.until(client) { $0["state"] == "waiting" }
                #expect(
                    waiting["reason"]
                        == "403 AccessDenied: the access key AK may not write into the bucket events; allow it s3:PutObject"
                )
                #expect(waiting["retryAt"]?.stringValue != nil)
                #expect(waiting["deadLetters"] == 0)
                try await Self.send(client, 3..<4)
                while receiver.accepted.isEmpty {
                    clock.advance(by: 1_000)
                    _ = try await client.get(Self.path)
                }
                _ = try await Self.until(client) { $0["delivered"] == 3 && $0["state"] == "delivering" }
                #expect(try receiver.accepted.map(Self.ids) == [["m-0", "m-1", "m-2"]])
                #expect(Set(receiver.deliveries.map(\.path)).count == 1)
            }
        }
    }

    @Test("A store that nobody can reach, and a missing secret, are named in the state and by a test")
    func unreachable() async throws {
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            try await Self.send(client, 0..<1)
            // The address has no listener.
            try await Self.make(client, "http://127.0.0.1:9")
            clock.advance(by: Self.hour + Limits.fileGraceMilliseconds)
            let waiting = try await Self.until(client) { $0["state"] == "waiting" }
            #expect(
                waiting["reason"]?.stringValue?.hasPrefix("no answer from http://127.0.0.1:9: ") == true, "\(waiting)")
            let test = try await client.send("POST", Self.path + "/test", body: [])
            #expect(try test.json["accepted"] == false)
            let other = "/api/sources/WK/destinations/Other"
            let settings = #"{"endpoint":"http://127.0.0.1:9","bucket":"events","accessKey":"AK"}"#
            #expect(try await client.put(other, #"{"kind":"s3","settings":\#(settings)}"#).status == 201)
            let missing = try await client.send("POST", other + "/test", body: [])
            #expect(try missing.json["answer"] == "there is no secret access key; store the one of the access key AK")
        }
    }

    @Test("The secret is stored and replaced with PUT, never shown, and not made by the server")
    func secrets() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run(environment: environment) { workspace async throws in
                let client = workspace.client
                try await Self.make(client, url)
                #expect(try await client.put(Self.path, #"{"secret":"other-secret"}"#).status == 200)
                for text in [try await client.get(Self.path).text, try await client.get("/api/audit").text] {
                    #expect(!text.contains("other-secret"))
                }
                #expect(try await client.get("/api/audit").text.contains("secret of a destination replaced"))
                let test = try await client.send("POST", Self.path + "/test", body: [])
                #expect(try test.json["answer"] == "that its bucket events can be written")
                let object = try #require(await receiver.accepts(1).first)
                #expect(object.path == "/events/raw/WK/Lake/.test")
                #expect(try await client.send("POST", Self.path + "/secret", body: []).status == 409)
                #expect(try await client.put(Self.path, #"{"secret":"two words"}"#).status == 400)
                let hook = "/api/sources/WK/destinations/Hook"
                let body = #"{"kind":"webhook","settings":{"url":"http://127.0.0.1:9"},"secret":"x"}"#
                #expect(try await client.put(hook, body).status == 400)
            }
        }
    }

    @Test("Filters and integrations apply, and what they leave out is counted")
    func filters() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run(environment: environment) { workspace async throws in
                let client = workspace.client
                var refused = Events.track(messageId: "refused")
                refused["integrations"] = ["Lake": false]
                try await client.batch([Events.track(messageId: "kept"), refused])
                _ = try await client.events()
                try await Self.make(client, url)
                clock.advance(by: Self.hour + Limits.fileGraceMilliseconds)
                let done = try await Self.until(client) { $0["caughtUp"] == true && $0["delivered"] == 1 }
                #expect(done["skipped"] == 1)
                #expect(try receiver.accepted.map(Self.ids) == [["kept"]])
            }
        }
    }
}
