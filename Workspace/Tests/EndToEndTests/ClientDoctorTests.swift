import Foundation
import Testing
import Tributary
import TributaryEncryption
import TributaryJSON
import TributaryTesting

@testable import Demo

/// `tributary doctor client` on folders that the real client made.
@Suite("tributary doctor client", .timeLimit(.minutes(30))) struct ClientDoctorTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("client-doctor-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    // MARK: Support

    private struct Examined {
        let status: ChildProcess.Ending
        let lines: [String]

        func has(_ kind: String, _ part: String) -> Bool {
            lines.contains { $0.hasPrefix("\(kind): ") && $0.contains(part) }
        }
    }

    private func examine(_ path: URL? = nil, _ options: [String] = []) async throws -> Examined {
        let command = try await ChildProcess(
            Programs.tributary, arguments: ["doctor", "client", (path ?? folder).path] + options)
        let ending = await command.ended()
        return Examined(status: ending, lines: command.output)
    }

    /// Examines the folder, and expects that no file in it changes. A client that runs, or has just ended, may still do
    /// some work of its own, so an attempt in which something changed is repeated.
    private func examineUnchanged() async throws -> Examined {
        for _ in 0..<20 {
            let before = state()
            let examined = try await examine()
            if state() == before { return examined }
        }
        Issue.record("the folder changes with each examination")
        return try await examine()
    }

    /// The content, times and rights of each file and folder. The time of the last reading is left out.
    private func state() -> [String: String] {
        var state: [String: String] = [:]
        for name in [""] + (FileManager.default.subpaths(atPath: folder.path) ?? []) {
            let path = folder.appendingPathComponent(name).path
            var status = stat()
            // The client may have removed it meanwhile.
            guard lstat(path, &status) == 0 else { continue }
            let content = FileManager.default.contents(atPath: path)?.base64EncodedString() ?? ""
            #if canImport(Darwin)
            let times = "\(status.st_mtimespec) \(status.st_ctimespec)"
            #else
            let times = "\(status.st_mtim) \(status.st_ctim)"
            #endif
            state[name] = "\(status.st_mode) \(status.st_ino) \(times) \(content)"
        }
        return state
    }

    private func client(
        _ writeKey: String = "app-key", _ server: StubServer = StubServer(),
        _ configure: (Configuration) -> Void = { _ in }
    ) -> TestClient {
        TestClient(writeKey: writeKey, server: server) { configuration in
            configuration.storageMode(.diskAtURL(folder))
            configure(configuration)
        }
    }

    /// Lets a client track some events, try to deliver them, and end.
    private func run(
        _ events: Int, _ server: StubServer = StubServer(), _ configure: (Configuration) -> Void = { _ in }
    ) async {
        let client = client(server: server, configure)
        for number in 0..<events { client.analytics.track(name: "Event \(number)") }
        await client.flushed()
        await client.shutdown()
    }

    private func client(server: StubServer, _ configure: (Configuration) -> Void) -> TestClient {
        client("app-key", server, configure)
    }

    private var clientFolder: URL { folder.appendingPathComponent("tributary/app_2dkey") }

    private func json() async throws -> JSON {
        let line = try #require(try await examine(nil, ["--json"]).lines.first)
        return try #require(try JSON.parse(line)["clients"]?[0])
    }

    // MARK: States

    @Test("A client that has delivered everything has no problem")
    func delivered() async throws {
        await run(3)
        let examined = try await examineUnchanged()
        #expect(examined.status == .exit(0), "\(examined.lines)")
        #expect(examined.lines.first == "client app-key in \(clientFolder.path)")
        #expect(examined.has("fine", "no event waits in queue 0"))
        #expect(examined.has("fine", "settings are there"))
    }

    @Test("Events that the server did not take are counted, with the failures and the end of the pause")
    func unreachable() async throws {
        let server = StubServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        await run(3, server)
        let examined = try await examineUnchanged()
        #expect(examined.status == .exit(1))
        #expect(
            examined.has(
                "problem", "queue 0 could not deliver to http://server.test/v1 1 time in a row since 2026-11-18T"))
        #expect(examined.has("problem", "; the client may try again since 2026-11-18T"))
        #expect(examined.has("note", "3 events, the oldest since 2026-11-18T"), "\(examined.lines)")
        #expect(examined.has("note", "wait in queue 0 for http://server.test/v1; no running app has the queue"))
        let queue = try #require(try await json()["queues"]?[0])
        #expect(queue["outbox"]?["events"] == 3)
        #expect(queue["delivery"]?["failures"] == 1)
        #expect(queue["delivery"]?["pausedUntil"]?.stringValue?.hasPrefix("2026-11-18T") == true)
        #expect(queue["open"] == false)
    }

    @Test("Events that the server refused for good are counted by its answer")
    func refused() async throws {
        let server = StubServer()
        server.answerBatches { events in
            events.contains { $0["event"] == "Event 1" } ? .success(TransportResponse(status: 400)) : nil
        }
        await run(3, server)
        let examined = try await examineUnchanged()
        #expect(examined.status == .exit(1))
        #expect(examined.has("problem", "the server refused 1 event of queue 0 for good: 400"), "\(examined.lines)")
        #expect(try await json()["queues"]?[0]?["dead-letters"]?["events"] == 1)
    }

    @Test("Events that wait for the user's decision are named, and so is a refusal")
    func consent() async throws {
        let client = client("app-key") { $0.consent(.pending) }
        client.analytics.track(name: "One")
        client.analytics.track(name: "Two")
        await client.processed()
        let waiting = try await examineUnchanged()
        #expect(waiting.status == .exit(1))
        #expect(waiting.has("problem", "2 events, the oldest since 2026-11-18T"), "\(waiting.lines)")
        #expect(waiting.has("problem", "wait in queue 0 for the user's decision on consent"))
        await withCheckedContinuation { continuation in
            client.analytics.setConsent(.denied, categories: ["Ads": false]) { continuation.resume() }
        }
        await client.shutdown()
        let denied = try await examineUnchanged()
        #expect(denied.status == .exit(1))
        #expect(denied.has("problem", "the user has refused consent, so nothing is collected"), "\(denied.lines)")
        #expect(denied.has("note", "the user refused Ads"))
        #expect(denied.has("fine", "no event waits in queue 0"))
    }

    @Test("Collection that the app or the workspace has switched off is a problem")
    func switchedOff() async throws {
        let client = client()
        client.analytics.enabled = false
        await client.processed()
        await client.shutdown()
        let byApp = try await examineUnchanged()
        #expect(byApp.has("problem", "the app has switched collection off"), "\(byApp.lines)")

        let server = StubServer()
        server.answerSettings(["integrations": [:], "collection": ["enabled": false]])
        let other = self.client("app-key", server)
        // The answer to a flush comes when the settings are known.
        await other.flushed()
        await other.shutdown()
        let byBoth = try await examineUnchanged()
        #expect(byBoth.has("problem", "the settings of the workspace switch collection off"), "\(byBoth.lines)")
    }

    @Test("Events that are not processed are a problem while the app runs, and wait for its next start otherwise")
    func unprocessed() async throws {
        let server = StubServer()
        server.silenceSettings()
        let client = client("app-key", server)
        for number in 0..<4 { client.analytics.track(name: "Event \(number)") }
        let running = try await examineUnchanged()
        #expect(
            running.has("problem", "wait in queue 0 to be processed, although the app runs: it waits for settings"),
            "\(running.lines)")
        #expect(running.has("problem", "4 events, the oldest since 2026-11-18T"))
        #expect(try await json()["queues"]?[0]?["open"] == true)
        await client.shutdown()
        let ended = try await examineUnchanged()
        #expect(ended.status == .exit(0), "\(ended.lines)")
        #expect(ended.has("note", "wait in queue 0 to be processed; no running app has the queue"))
        #expect(ended.has("note", "no settings were fetched yet"))
    }

    @Test("The content of an encrypted folder stays unknown, and its size does not")
    func encrypted() async throws {
        let server = StubServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let cipher = try #require(AESGCMCipher(key: [UInt8](repeating: 7, count: 32)))
        await run(3, server) { $0.storageCipher(cipher) }
        let examined = try await examineUnchanged()
        #expect(examined.has("note", "outbox of queue 0 is encrypted; only its size is known"), "\(examined.lines)")
        #expect(examined.has("note", "3 events"))
        #expect(!examined.has("problem", "damaged"))
    }

    @Test("Damage of each file is named")
    func damage() async throws {
        let server = StubServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        await run(20, server)
        let segment = clientFolder.appendingPathComponent("lane-0/outbox/0000000000000001.tjl")
        var bytes = try Data(contentsOf: segment)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: segment)
        for name in ["settings.json", "consent.json", "lane-0/delivery.json", "live-plugins.json", "health-0.json"] {
            try Data("{".utf8).write(to: clientFolder.appendingPathComponent(name))
        }
        let examined = try await examineUnchanged()
        #expect(examined.status == .exit(1))
        for name in ["settings.json", "consent.json", "live-plugins.json", "health-0.json"] {
            #expect(examined.has("problem", "\(name) is damaged: it is not JSON"), "\(name): \(examined.lines)")
        }
        #expect(examined.has("problem", "delivery.json of queue 0 is damaged"))
        #expect(examined.has("problem", "outbox of queue 0: 1 records are damaged"), "\(examined.lines)")
        #expect(examined.has("note", "19 events"))
    }

    @Test("Each write key of an app is a client, and each folder of a client can be given")
    func folders() async throws {
        await run(1)
        let other = client("OTHER")
        await other.flushed()
        await other.shutdown()
        let all = try await examine()
        let clients = all.lines.filter { $0.hasPrefix("client ") }
        #expect(clients.map { $0.split(separator: " ")[1] } == ["OTHER", "app-key"])
        let below = try await examine(folder.appendingPathComponent("tributary"))
        #expect(below.lines.filter { $0.hasPrefix("client ") } == clients)
        let one = try await examine(clientFolder)
        #expect(one.lines.first == "client app-key in \(clientFolder.path)")
        #expect(one.lines.count { $0.hasPrefix("client ") } == 1)
    }

    @Test("A folder without a client is refused with a hint")
    func nothing() async throws {
        let empty = try await examine()
        #expect(empty.status == .exit(1))
        #expect(empty.lines.joined().contains("has no data of a client"), "\(empty.lines)")
        let missing = try await examine(folder.appendingPathComponent("none"))
        #expect(missing.status == .exit(1))
        #expect(missing.lines.joined().contains("cannot be read: there is no such file or folder"), "\(missing.lines)")
        let key = try await examine(nil, ["--public-key", "short"])
        #expect(key.lines.joined().contains("--public-key is not the 32 bytes of an Ed25519 key"), "\(key.lines)")
    }

    @Test("A client that works meanwhile loses nothing, and no damage is seen")
    func working() async throws {
        let server = StubServer()
        let client = client("app-key", server)
        let count = 3_000
        let analytics = client.analytics
        let work = Task.detached {
            for number in 0..<count {
                analytics.track(name: "Event \(number)")
                if number % 50 == 0 { await client.flushed() }
            }
            await client.flushed()
        }
        for _ in 0..<10 {
            let examined = try await examine()
            #expect(!examined.lines.contains { $0.contains("damaged") || $0.contains("missing") }, "\(examined.lines)")
        }
        await work.value
        await client.shutdown()
        #expect(server.names == (0..<count).map { "Event \($0)" })
    }
}
