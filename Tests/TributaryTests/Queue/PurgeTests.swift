import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("Purging")
struct PurgeTests {
    private func purge(_ client: Client) async {
        await withCheckedContinuation { continuation in client.analytics.purgeStorage { continuation.resume() } }
    }

    @Test("A purge deletes all waiting events, and events tracked after the call stay")
    func everything() async throws {
        let folder = try TemporaryFolder()
        // Two queues, of which the next client takes one and leaves the other.
        let (first, left) = (Client.storing(in: folder.url), Client.storing(in: folder.url))
        first.analytics.track(name: "inbox")
        left.analytics.track(name: "left")
        await first.ended()
        await left.ended()
        let server = TestServer()
        server.answerNext(400)
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let client = Client(server: server, folder: folder.url)
        client.analytics.identify(userId: "u-1")
        client.analytics.track(name: "outbox")
        await client.processed()
        try client.analytics.deadLetters.append([1])
        #expect(client.analytics.hasUnsentEvents)
        client.analytics.purgeStorage()
        client.analytics.track(name: "after")
        await client.processed()
        await withCheckedContinuation { continuation in
            client.analytics.eventQueue.directory.host.queue.async { continuation.resume() }
        }
        #expect(client.analytics.deadLetters.count == 0)
        #expect(client.analytics.userId == "u-1")
        await client.ended()
        let next = Client(time: ManualTime(later: 7200), folder: folder.url)
        next.begin()
        await next.server.confirmed(1)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == ["after"])
        #expect(next.analytics.userId == "u-1")
        await next.ended()
    }

    @Test("A purge deletes the events of a queue that is just being adopted")
    func beingTaken() async throws {
        let folder = try TemporaryFolder()
        let (first, left) = (Client.storing(in: folder.url), Client.storing(in: folder.url))
        left.analytics.track(name: "left")
        await first.ended()
        await left.ended()
        let client = Client(folder: folder.url)
        // The queue is taken between the beginning of the purge and its end.
        let gate = DispatchSemaphore(value: 0)
        client.analytics.eventQueue.directory.host.queue.async { gate.wait() }
        await client.processed()
        let (purged, ended) = AsyncStream.makeStream(of: Void.self)
        client.analytics.purgeStorage { ended.finish() }
        await client.processed()
        gate.signal()
        for await _ in purged {}
        client.analytics.track(name: "after")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["after"])
        await client.ended()
    }

    @Test("A purge removes the bytes from the files, and leaves files of others")
    func files() async throws {
        let folder = try TemporaryFolder()
        let key = folder.url.appendingPathComponent("tributary/KEY")
        let client = Client.storing(in: folder.url)
        client.analytics.track(name: "A secret")
        let foreign = [
            folder.url.appendingPathComponent("document.txt"), key.appendingPathComponent("notes"),
            key.appendingPathComponent("lane-0/inbox/mine.tjl"),
        ]
        for file in foreign { try Data("mine".utf8).write(to: file) }
        #expect(try Self.holds("A secret", in: folder.url))
        await purge(client)
        #expect(try !Self.holds("A secret", in: folder.url))
        for file in foreign { #expect(try Data(contentsOf: file) == Data("mine".utf8)) }
        #expect(!client.analytics.hasUnsentEvents)
        #expect(client.analytics.storageState.waitingEvents == 0)
        await client.ended()
    }

    @Test("A purge covers deleted files, and a client that took their place loses nothing")
    func replacedFiles() async throws {
        let folder = try TemporaryFolder()
        let client = Client.storing(in: folder.url)
        for number in 1...5 { client.analytics.track(name: "given up \(number)") }
        try folder.delete("tributary")
        let other = Client.storing(in: folder.url)
        #expect(other.analytics.eventQueue.number == 0)
        other.analytics.track(name: "other")
        await purge(client)
        client.analytics.track(name: "after")
        client.time.advance(by: Limits.storageCheckInterval)
        await client.reported(reason: "recovered")
        await client.ended()
        await other.ended()
        let next = Client(time: ManualTime(later: 7200), folder: folder.url)
        #expect(await next.flushed() == .sent)
        #expect(Set(next.server.names) == ["after", "other"])
        #expect(next.server.names.count == 2)
        await next.ended()
    }

    @Test("After a purge exactly the later events arrive")
    func running() async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        let client = Client(server: server, folder: folder.url)
        client.analytics.track(name: "sent")
        #expect(await client.flushed() == .sent)
        server.answerNext(503)
        client.analytics.track(name: "purged")
        await client.processed()
        client.analytics.flush()
        await client.reported(reason: "paused")
        await purge(client)
        client.time.advance(by: 3600)
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        #expect(await client.flushed() == .sent)
        #expect(server.names == ["sent"] + (1...5).map { "E\($0)" })
        await client.ended()
    }

    private static func holds(_ text: String, in folder: URL) throws -> Bool {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).contains { path in
            let data = try? Data(contentsOf: folder.appendingPathComponent(path))
            return data?.range(of: Data(text.utf8)) != nil
        }
    }
}
