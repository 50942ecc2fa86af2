import Foundation
import Testing
import Tributary
import TributaryEncryption
import TributaryJSON
import TributaryTesting

@testable import Demo

/// `tributary inspect` on folders that the real client made.
@Suite("tributary inspect", .timeLimit(.minutes(30))) struct InspectTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("inspect-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    // MARK: Support

    private func process(_ options: String...) async throws -> ChildProcess {
        try await ChildProcess(Programs.tributary, arguments: ["inspect", folder.path] + options)
    }

    private func inspect(_ options: String...) async throws -> (status: ChildProcess.Ending, lines: [String]) {
        let command = try await ChildProcess(Programs.tributary, arguments: ["inspect", folder.path] + options)
        let ending = await command.ended()
        return (ending, command.output)
    }

    private func client(
        _ server: StubServer = StubServer(), _ configure: (Configuration) -> Void = { _ in }
    ) -> TestClient {
        TestClient(writeKey: "app-key", server: server) { configuration in
            configuration.storageMode(.diskAtURL(folder))
            configure(configuration)
        }
    }

    /// A server that takes no events.
    private func busyServer() -> StubServer {
        let server = StubServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        return server
    }

    private var clientFolder: URL { folder.appendingPathComponent("tributary/app_2dkey") }

    /// The bytes of every file.
    private func content() -> [String: Data] {
        var content: [String: Data] = [:]
        for name in FileManager.default.subpaths(atPath: folder.path) ?? [] {
            content[name] = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
        }
        return content
    }

    // MARK: One look

    @Test("Events that wait are listed with type, name and time, beside consent, user and delivery")
    func waiting() async throws {
        let client = client(busyServer())
        client.analytics.identify(userId: "u-1")
        client.analytics.track(name: "Order Completed")
        await client.flushed()
        await client.shutdown()
        let before = content()
        let (status, lines) = try await inspect()
        #expect(content() == before)
        #expect(status == .exit(0), "\(lines)")
        #expect(lines.first == "client app-key in \(clientFolder.path)")
        #expect(lines.contains { $0.hasPrefix("user: u-1, anonymous id ") }, "\(lines)")
        #expect(
            lines.contains { $0.hasPrefix("queue 0: for the server 2 (") && $0.hasSuffix("no app that runs has it") })
        #expect(
            lines.contains {
                $0.hasPrefix("delivery of queue 0: to http://server.test/v1, 1 attempt without success since 2026")
            },
            "\(lines)")
        #expect(lines.contains("events: 2"), "\(lines)")
        let listed = lines.filter { $0.hasPrefix("  2026-11-18T") }
        #expect(listed.count == 2 && listed[0].contains("Z  identify  waits for the server in queue 0"), "\(listed)")
        #expect(
            listed.last?.hasSuffix("Z  track  Order Completed  waits for the server in queue 0") == true, "\(listed)")
    }

    @Test("A client that runs is read beside it, with the events that wait for consent")
    func running() async throws {
        let client = client { $0.consent(.pending) }
        client.analytics.track(name: "A")
        await client.processed()
        let (status, lines) = try await inspect()
        #expect(status == .exit(0))
        #expect(
            lines.contains { $0.hasPrefix("queue 0: for consent 1 (") && $0.hasSuffix("an app that runs has it") },
            "\(lines)")
        #expect(lines.contains { $0.hasSuffix("Z  track  A  waits for the user's consent in queue 0") }, "\(lines)")
        await withCheckedContinuation { done in client.analytics.setConsent(.granted) { done.resume() } }
        await client.flushed()
        #expect(client.server.names == ["A"])
        await client.shutdown()
        #expect(try await inspect().lines.contains("consent: granted"))
    }

    @Test("A refused event is listed with the answer of the server, and --last bounds the list")
    func refused() async throws {
        let server = StubServer()
        server.answerBatches { events in
            events.contains { $0["event"] == "Bad" } ? .success(TransportResponse(status: 400)) : nil
        }
        let client = client(server)
        for name in ["Bad", "Good"] { client.analytics.track(name: name) }
        await client.flushed()
        await client.shutdown()
        let (_, lines) = try await inspect()
        #expect(lines.contains { $0.contains("track  Bad  is put aside in queue 0  refused: 400") }, "\(lines)")
        let (_, bounded) = try await inspect("--last", "0")
        #expect(bounded.contains("events: 1, of which 0 are shown"), "\(bounded)")
        let (_, texts) = try await inspect("--json")
        let json = try JSON.parse(try #require(texts.first))["clients"]?[0]
        #expect(json?["events"]?[0]?["name"] == "Bad" && json?["events"]?[0]?["log"] == "dead-letters")
        #expect(json?["writeKey"] == "app-key" && json?["queues"]?[0]?["number"] == 0)
    }

    @Test("Of an encrypted folder only sizes are known, and the command says so")
    func encrypted() async throws {
        let cipher = try #require(AESGCMCipher(key: [UInt8](repeating: 7, count: 32)))
        let client = client(busyServer()) { $0.storageCipher(cipher) }
        for number in 0..<3 { client.analytics.track(name: "Event \(number)") }
        await client.flushed()
        await client.shutdown()
        let (status, lines) = try await inspect()
        #expect(status == .exit(0))
        #expect(lines.contains { $0.contains("for the server 3 (") && $0.contains("bytes, encrypted)") }, "\(lines)")
        #expect(lines.contains("events: 3, of which 0 are shown"), "\(lines)")
        #expect(lines.contains("user: unknown"), "\(lines)")
        #expect(!lines.joined().contains("Event 0"))
    }

    // MARK: What goes wrong

    @Test("A damaged and hostile folder is shown as far as it goes, without signs that a terminal would obey")
    func hostile() async throws {
        let client = client(busyServer())
        client.analytics.track(name: "Red \u{1B}[31m name\nproblem: none")
        await client.flushed()
        await client.shutdown()
        let files: [String: String] = [
            "consent.json": #"{"consent": "granted", "categories": {"\u001b[2J": false}, "enabled": 3}"#,
            "settings.json": "[",
            "live-plugins.json": #"{"version": 99999999999999999999, "source": 1}"#,
            "lane-0/delivery.json":
                #"{"host": "h", "failures": 9223372036854775807, "failingSince": -9223372036854775808, "pausedAt": 9223372036854775807, "pause": 1e300}"#,
        ]
        for (name, text) in files { try Data(text.utf8).write(to: clientFolder.appendingPathComponent(name)) }
        try FileManager.default.createDirectory(
            at: clientFolder.appendingPathComponent("lane-18446744073709551615/inbox"),
            withIntermediateDirectories: true)
        try Data([1, 2, 3]).write(
            to: clientFolder.appendingPathComponent("lane-18446744073709551615/inbox/0000000000000001.tjl"))
        for command in [["inspect"], ["inspect", "--json"], ["doctor", "client"]] {
            let process = try await ChildProcess(
                Programs.tributary, arguments: [command[0]] + command.dropFirst() + [folder.path])
            let ending = await process.ended()
            #expect(ending == .exit(command[0] == "doctor" ? 1 : 0), "\(command): \(process.output)")
            #expect(!process.output.joined().unicodeScalars.contains("\u{1B}"), "\(command)")
        }
        let (_, lines) = try await inspect()
        #expect(lines.contains { $0.hasPrefix("problem: settings.json is damaged") }, "\(lines)")
        #expect(lines.contains { $0.contains("name\u{FFFD}problem: none  waits for the server") }, "\(lines)")
        #expect(!lines.contains("problem: none"))
    }

    @Test("A folder without a client is refused with a hint, and so are senseless options")
    func nothing() async throws {
        let (status, lines) = try await inspect()
        #expect(status == .exit(1))
        #expect(lines.joined().contains("has no data of a client"), "\(lines)")
        #expect(try await inspect("--follow").status == .exit(1))
        let (wrong, text) = try await inspect("--last", "-1")
        #expect(wrong == .exit(64) && text.joined().contains("--last"), "\(text)")
    }

    // MARK: Following

    @Test("Following shows events as the client stores and delivers them, and ends without a failure")
    func follow() async throws {
        let server = busyServer()
        let client = client(server)
        client.analytics.track(name: "First")
        await client.flushed()
        let command = try await process("--follow")
        #expect(await command.line(after: "events: ", within: 60) == "1")
        client.analytics.track(name: "Second")
        let new = await command.line(after: "new    ", within: 60)
        #expect(new?.contains("track  Second  waits for") == true, "\(new ?? "nothing")")
        server.answerBatches(nil)
        client.clock.advance(by: 3600)
        await client.flushed()
        let gone = await command.line(after: "gone   ", within: 60)
        #expect(
            gone?.contains("track  First  waits for the server in queue 0; the server has it") == true,
            "\(gone ?? "nothing")")
        #expect(server.names == ["First", "Second"])
        command.signal(SIGINT)
        #expect(await command.ended() == .exit(0))
        await client.shutdown()
    }

    @Test("Following as JSON has one object on each line")
    func followJSON() async throws {
        let client = client { $0.consent(.pending) }
        client.analytics.track(name: "A")
        await client.processed()
        let command = try await process("--follow", "--json")
        #expect(await command.line(after: #"{"clients":"#, within: 60) != nil)
        client.analytics.track(name: "B")
        let line = await command.line(after: #"{"change":"new","#, within: 60)
        let event = try JSON.parse("{" + (try #require(line)))["event"]
        #expect(event?["name"] == "B" && event?["log"] == "pending")
        command.signal(SIGTERM)
        #expect(await command.ended() == .exit(0))
        await client.shutdown()
    }
}
