import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Queues of ended processes")
struct QueueAdoptionTests {
    /// Leaves that many queues, as clients do that end while the settings host is silent.
    private func leave(_ names: [[String]], in folder: URL) async {
        var clients: [Client] = []
        for names in names {
            let client = Client.storing(in: folder)
            for name in names { client.analytics.track(name: name) }
            clients.append(client)
        }
        for client in clients { await client.ended() }
    }

    @Test("One client sends the events of two ended clients, each once and in order")
    func both() async throws {
        let folder = try TemporaryFolder()
        await leave([["A1", "A2"], ["B1", "B2"]], in: folder.url)
        let client = Client(folder: folder.url)
        client.begin()
        await client.reported(reason: "adopted")
        await client.server.confirmed(4)
        #expect(client.server.names.filter { $0.hasPrefix("A") } == ["A1", "A2"])
        #expect(client.server.names.filter { $0.hasPrefix("B") } == ["B1", "B2"])
        // Waits until the client has the answers as well.
        #expect(await client.flushed() == .sent)
        await client.ended()
        let next = Client(folder: folder.url)
        #expect(await next.flushed() == .sent)
        #expect(next.server.events.isEmpty)
        await next.ended()
    }

    @Test("A flush covers events of ended processes, and reports events that could not be sent")
    func flush() async throws {
        let folder = try TemporaryFolder()
        await leave([[], ["B1", "B2"]], in: folder.url)
        let refusing = TestServer()
        refusing.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let first = Client(server: refusing, folder: folder.url)
        let result = await first.flushed()
        guard case .partly(let remaining, _) = result else {
            Issue.record("what could not be sent counts as sent: \(result)")
            return
        }
        #expect(remaining == 2)
        await first.ended()
        let second = Client(time: ManualTime(later: 7200), folder: folder.url)
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == ["B1", "B2"])
        #expect(!second.analytics.hasUnsentEvents)
        await second.ended()
    }

    @Test("The user of an adopted queue does not replace the user of a running client")
    func identity() async throws {
        let folder = try TemporaryFolder()
        let silent = TestServer()
        silent.silenceSettings()
        let client = Client(folder: folder.url)
        client.analytics.identify(userId: "own")
        let anonymousId = client.analytics.anonymousId
        let other = Client(server: silent, folder: folder.url)
        other.analytics.identify(userId: "other")
        await other.ended()
        client.begin()
        await client.reported(reason: "adopted")
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(client.analytics.userId == "own")
        #expect(client.analytics.anonymousId == anonymousId)
        #expect(client.server.events.first { $0["event"] == "A" }?["userId"] == "own")
        #expect(Set(client.server.events.compactMap { $0["userId"]?.stringValue }) == ["own", "other"])
        await client.ended()
    }

    @Test("The queue of a living client is not adopted")
    func alive() async throws {
        let folder = try TemporaryFolder()
        let silent = TestServer()
        silent.silenceSettings()
        let first = Client(server: silent, folder: folder.url)
        first.analytics.track(name: "A")
        let second = Client(folder: folder.url)
        second.analytics.track(name: "B")
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == ["B"])
        await second.ended()
        await first.ended()
    }

    @Test("A queue that its client leaves later is adopted at the next check")
    func later() async throws {
        let folder = try TemporaryFolder()
        let silent = TestServer()
        silent.silenceSettings()
        let first = Client(server: silent, folder: folder.url)
        first.analytics.track(name: "A")
        let second = Client(folder: folder.url)
        #expect(await second.flushed() == .sent)
        await first.ended()
        #expect(second.server.names.isEmpty)
        second.time.advance(by: Limits.adoptionInterval)
        await second.server.confirmed(1)
        #expect(second.server.names == ["A"])
        await second.ended()
    }

    @Test("A look at the settings also looks for queues, because the device is awake")
    func withSettings() async throws {
        let folder = try TemporaryFolder()
        let silent = TestServer()
        silent.silenceSettings()
        let first = Client(server: silent, folder: folder.url)
        first.analytics.track(name: "A")
        let second = Client(folder: folder.url) { $0.settingsInterval(Limits.adoptionInterval - 50) }
        #expect(await second.flushed() == .sent)
        await first.ended()
        #expect(second.server.names.isEmpty)
        second.time.advance(by: Limits.adoptionInterval - 50)
        await second.server.confirmed(1)
        #expect(second.server.names == ["A"])
        await second.ended()
    }

    @Test("A queue is released while the server does not answer, and its events are sent later")
    func givenBack() async throws {
        let folder = try TemporaryFolder()
        await leave([[], ["B1", "B2"]], in: folder.url)
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let client = Client(server: server, folder: folder.url)
        client.begin()
        await client.reported(reason: "adopted")
        await client.reported(reason: "given_back")
        // The queue's own client returns and has its queue again, with all events.
        let back = Client(time: ManualTime(later: 7200), folder: folder.url)
        #expect(back.analytics.eventQueue.number == 1)
        #expect(await back.flushed() == .sent)
        #expect(back.server.names == ["B1", "B2"])
        await back.ended()
        await client.ended()
    }

    @Test("A queue of a newer version is left alone and reported once, and all other work goes on")
    func newer() async throws {
        let folder = try TemporaryFolder()
        await leave([["A"], ["B"]], in: folder.url)
        let key = folder.url.appendingPathComponent("tributary/KEY")
        let mark = key.appendingPathComponent("lane-1/inbox/mark")
        try Self.makeNewer(mark)
        let before = try Data(contentsOf: mark)
        let client = Client(folder: folder.url)
        client.begin()
        await client.reported(reason: "newer_format")
        await client.server.confirmed(1)
        #expect(client.server.names == ["A"])
        client.time.advance(by: Limits.adoptionInterval)
        client.analytics.track(name: "C")
        #expect(await client.flushed() == .sent)
        #expect(client.diagnostics.all(.storage).filter { $0.reason == .newerFormat }.count == 1)
        #expect(try Data(contentsOf: mark) == before)
        await client.ended()
    }

    /// Gives a mark a version from the future, and the checksum that goes with it.
    private static func makeNewer(_ file: URL) throws {
        var bytes = [UInt8](try Data(contentsOf: file))
        bytes[8] = 9
        var check: UInt32 = ~0
        for byte in bytes.dropLast(4) {
            check ^= UInt32(byte)
            for _ in 0..<8 { check = (check >> 1) ^ (check & 1 == 1 ? 0x82F6_3B78 : 0) }
        }
        check = ~check
        for index in 0..<4 { bytes[bytes.count - 4 + index] = UInt8(truncatingIfNeeded: check >> (8 * UInt32(index))) }
        try Data(bytes).write(to: file)
    }

    @Test("All queues are emptied, also more than are adopted at once")
    func many() async throws {
        let folder = try TemporaryFolder()
        let names = (0..<(3 * Limits.adoptedQueues)).map { ["E\($0)"] }
        await leave(names, in: folder.url)
        let client = Client(folder: folder.url)
        client.begin()
        await client.server.confirmed(names.count)
        #expect(client.server.names.sorted() == names.flatMap { $0 }.sorted())
        await client.ended()
    }
}
