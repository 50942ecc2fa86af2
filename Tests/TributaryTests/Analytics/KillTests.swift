import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

/// A killed process leaves its files of that moment. Here the test copies the files while the client lives; the crash
/// test kills real processes.
@Suite("Events of a killed process")
struct KillTests {
    private func names(_ range: ClosedRange<Int>) -> [String] { range.map { "E\($0)" } }

    /// The clock of a process that begins when the pauses of the earlier process are over.
    private var hourLater: ManualTime { ManualTime(later: 3600) }

    private func track(_ client: Client, _ range: ClosedRange<Int>) {
        for name in names(range) { client.analytics.track(name: name) }
    }

    /// The newest segment of a log of the first queue.
    private func newestSegment(of log: String, in folder: TemporaryFolder) throws -> URL {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.url.appendingPathComponent("tributary/KEY/lane-0/\(log)"), includingPropertiesForKeys: nil)
        let segments = files.filter { $0.pathExtension == "tjl" && !$0.lastPathComponent.hasPrefix("spare") }
        return try #require(segments.max { $0.lastPathComponent < $1.lastPathComponent })
    }

    @Test("After a kill right after track, the next process sends all events without a call", arguments: [1, 1000])
    func afterTrack(count: Int) async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        track(first, 1...count)
        let left = try folder.copy()
        let second = Client(time: hourLater, folder: left.url)
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == names(1...count))
        await second.ended()
        await first.ended()
    }

    @Test("A kill at the start, while the settings host is silent, loses no event")
    func beforeSettings() async throws {
        let silent = TestServer()
        silent.silenceSettings()
        var folder = try TemporaryFolder()
        var clients: [Client] = []
        for start in [1, 101, 201] {
            let client = Client(server: silent, folder: folder.url)
            client.begin()
            track(client, start...start + 99)
            clients.append(client)
            folder = try folder.copy()
        }
        let last = Client(folder: folder.url)
        #expect(await last.flushed() == .sent)
        #expect(last.server.names == names(1...300))
        for client in clients + [last] { await client.ended() }
    }

    @Test("After a kill the user is still known, also to the events")
    func identity() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        let anonymousId = first.analytics.anonymousId
        first.analytics.identify(userId: "u-1", traits: ["plan": "pro"])
        let left = try folder.copy()
        let second = Client(time: hourLater, folder: left.url)
        #expect(second.analytics.userId == "u-1")
        #expect(second.analytics.anonymousId == anonymousId)
        #expect(second.analytics.traits()?["plan"] as? String == "pro")
        second.analytics.track(name: "A")
        #expect(await second.flushed() == .sent)
        #expect(second.server.events.map { $0["userId"] } == ["u-1", "u-1"])
        await second.ended()
        await first.ended()
    }

    @Test("After a kill while sending, unconfirmed events are sent again with the same ids")
    func whileSending() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        first.server.answerBatches { _ in .failure(TransportError("the answer was lost")) }
        track(first, 1...100)
        await first.processed()
        await first.server.requests(2)
        let left = try folder.copy()
        let sent = try JSON.parse(#require(first.server.batches.first?.body))
        let second = Client(time: hourLater, folder: left.url)
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == names(1...100))
        let ids = try #require(sent["batch"]?.elements).map { $0["messageId"] }
        #expect(second.server.events.prefix(ids.count).map { $0["messageId"] } == ids)
        await second.ended()
        await first.ended()
    }

    @Test("A torn end of the inbox costs only its own records", arguments: ["inbox", "outbox"])
    func tornEnd(log: String) async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        first.server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        track(first, 1...500)
        if log == "outbox" { await first.processed() }
        let left = try folder.copy()
        if log == "outbox" { try forgetInbox(left) }
        let file = try FileHandle(forUpdating: newestSegment(of: log, in: left))
        try file.truncate(atOffset: file.seekToEnd() - 200)
        try file.close()
        let second = Client(time: hourLater, folder: left.url)
        track(second, 501...600)
        #expect(await second.flushed() == .sent)
        // The last 200 bytes are less than a record.
        #expect(second.server.names == names(1...499) + names(501...600))
        await second.ended()
        await first.ended()
    }

    /// Leaves only the outbox.
    private func forgetInbox(_ folder: TemporaryFolder) throws {
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("tributary/KEY/lane-0/inbox"))
    }

    @Test("Empty files and files with only a header cost no event", arguments: [0, 16, 64])
    func headerOnly(bytes: UInt64) async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        track(first, 1...1)
        await first.processed()
        let left = try folder.copy()
        for log in ["inbox", "outbox"] {
            let file = try FileHandle(forUpdating: newestSegment(of: log, in: left))
            try file.truncate(atOffset: bytes)
            try file.close()
        }
        let second = Client(time: hourLater, folder: left.url)
        track(second, 2...101)
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == names(2...101))
        await second.ended()
        await first.ended()
    }

    @Test("A settings host that never answers delays events by ten seconds at most")
    func silentSettings() async throws {
        let folder = try TemporaryFolder()
        let silent = TestServer()
        silent.silenceSettings()
        let client = Client(server: silent, folder: folder.url)
        track(client, 1...20)
        // The timeout of settings. The moment for adding plugins has been scheduled from the beginning.
        await client.time.scheduled(in: 10)
        client.begin()
        client.time.advance(by: 10)
        await client.server.requests(2)
        #expect(client.server.names == names(1...20))
        await client.ended()
    }
}
