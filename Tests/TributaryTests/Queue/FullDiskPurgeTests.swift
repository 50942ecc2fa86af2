import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("Purging while the disk is full")
struct FullDiskPurgeTests {
    private func purge(_ client: Client) async {
        await withCheckedContinuation { continuation in client.analytics.purgeStorage { continuation.resume() } }
    }

    /// Waits for the pending work of the storage's queue.
    private func settle(_ client: Client, after seconds: TimeInterval) async {
        client.time.advance(by: seconds)
        await withCheckedContinuation { done in client.analytics.eventQueue.directory.host.queue.async { done.resume() }
        }
    }

    /// The events that the next process sends.
    private func sentNext(_ folder: TemporaryFolder) async -> [String] {
        let next = Client(time: ManualTime(later: 7200), folder: folder.url)
        _ = await next.flushed()
        await next.ended()
        return next.server.names
    }

    private func refusing() -> TestServer {
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        return server
    }

    @Test("Purged events on a full disk are never sent, also not by the next process")
    func sent() async throws {
        let (folder, disk, server) = (try TemporaryFolder(), BrokenDisk(), refusing())
        let client = Client(server: server, folder: folder.url) { $0.files(disk) }
        for number in 1...10 { client.analytics.track(name: "given up \(number)") }
        await client.processed()
        disk.fill()
        await purge(client)
        await client.reported(text: "the outbox cannot be deleted")
        #expect(client.analytics.storageState.waitingEvents == 0)
        client.analytics.track(name: "after")
        await client.processed()
        server.answerBatches(nil)
        client.time.advance(by: 3600)
        #expect(await client.flushed() == .sent)
        #expect(server.names == ["after"])
        // The files of a process that is killed while the disk is full, and of one that is killed later.
        #expect(try await sentNext(folder.copy()) == [])
        disk.repair()
        await settle(client, after: 1)
        #expect(try await sentNext(folder.copy()) == [])
        await client.ended()
    }

    @Test("Events that return to the disk while they are sent are sent once, also after a refused purge")
    func sentOnce() async throws {
        let (folder, disk, server) = (try TemporaryFolder(), BrokenDisk(), TestServer())
        let transport = HeldTransport(server)
        let client = Client(server: server, folder: folder.url) { $0.files(disk).transport(transport) }
        client.analytics.track(name: "given up")
        await client.processed()
        disk.fail { operation, path in operation == .make && path.contains("/mark") ? 30 : nil }
        await purge(client)
        await client.reported(text: "the outbox cannot be deleted")
        disk.fill()
        for number in 1...3 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        client.analytics.flush()
        await transport.batches(1)
        disk.repair()
        await settle(client, after: 1)
        #expect(client.analytics.storageState.queues.allSatisfy { $0.inMemory == 0 })
        transport.open()
        #expect(await client.flushed() == .sent)
        #expect(server.names == ["E1", "E2", "E3"])
        await client.ended()
    }

    @Test("Purged events in memory are not sent, except the batch under way")
    func spilledWhileSending() async throws {
        let (folder, disk, server) = (try TemporaryFolder(), BrokenDisk(), TestServer())
        let transport = HeldTransport(server)
        let client = Client(server: server, folder: folder.url) { $0.files(disk).transport(transport) }
        await client.processed()
        disk.fill()
        for number in 1...40 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        client.analytics.flush()
        // The server gets half of the batch again, and the other half was read already.
        await transport.batches(1)
        transport.answer(0, 413)
        await transport.batches(2)
        await purge(client)
        client.analytics.track(name: "after")
        await client.processed()
        transport.open()
        #expect(await client.flushed() == .sent)
        #expect(server.names == (1...server.names.count - 1).map { "E\($0)" } + ["after"])
        #expect(server.names.count <= 21)
        disk.repair()
        await client.ended()
    }

    @Test("The next process sends events tracked after the purge, without purged ones")
    func kept() async throws {
        let (folder, disk) = (try TemporaryFolder(), BrokenDisk())
        let client = Client(server: refusing(), folder: folder.url) { $0.files(disk) }
        for number in 1...10 { client.analytics.track(name: "given up \(number)") }
        await client.processed()
        disk.fill()
        await purge(client)
        for number in 1...3 { client.analytics.track(name: "after \(number)") }
        await client.processed()
        disk.repair()
        await settle(client, after: 1)
        #expect(try await sentNext(folder.copy()) == (1...3).map { "after \($0)" })
        await client.ended()
    }

    @Test("A client that ends after there is room leaves no purged event")
    func ended() async throws {
        let (folder, disk) = (try TemporaryFolder(), BrokenDisk())
        let client = Client(server: refusing(), folder: folder.url) { $0.files(disk) }
        client.analytics.track(name: "given up")
        await client.processed()
        try client.analytics.deadLetters.append([1])
        disk.fill()
        await purge(client)
        #expect(client.analytics.deadLetters.count == 0)
        disk.repair()
        await client.ended()
        #expect(await sentNext(folder) == [])
    }

    @Test("Dead letters are purged when there is room too")
    func deadLetters() async throws {
        let (folder, disk) = (try TemporaryFolder(), BrokenDisk())
        let client = Client(server: refusing(), folder: folder.url) { $0.files(disk) }
        client.analytics.track(name: "given up")
        await client.processed()
        try client.analytics.deadLetters.append(Array("secret".utf8))
        disk.fill()
        await purge(client)
        disk.repair()
        await settle(client, after: 1)
        let copy = Client(folder: try folder.copy().url)
        #expect(copy.analytics.deadLetters.count == 0)
        await copy.ended()
        await client.ended()
    }

    @Test("A queue of an ended process is held until its purged events are gone")
    func leftQueue() async throws {
        let (folder, disk) = (try TemporaryFolder(), BrokenDisk())
        let (own, left) = (Client.storing(in: folder.url), Client.storing(in: folder.url))
        own.analytics.track(name: "given up 1")
        left.analytics.track(name: "given up 2")
        await own.ended()
        await left.ended()
        let server = TestServer()
        server.silenceSettings()
        let client = Client(server: server, folder: folder.url) { $0.files(disk).settingsTimeout(1e9) }
        disk.fill()
        await purge(client)
        await client.reported(text: "queue 1 cannot be deleted")
        // The queue that could not be opened is still there.
        #expect(try await sentNext(folder.copy()) == ["given up 2"])
        disk.repair()
        await settle(client, after: 1)
        #expect(try await sentNext(folder.copy()) == [])
        await client.ended()
    }

    @Test("A queue that cannot be opened is purged later, and not adopted before")
    func lockedQueue() async throws {
        let (folder, disk) = (try TemporaryFolder(), BrokenDisk())
        let (own, left) = (Client.storing(in: folder.url), Client.storing(in: folder.url))
        left.analytics.track(name: "given up")
        await own.ended()
        await left.ended()
        let client = Client(folder: folder.url) { $0.files(disk) }
        // The folder cannot be listed from now on. An unreadable folder at the start would delay the start.
        disk.fail { operation, path in operation == .list && path.contains("lane-1/inbox") ? 5 : nil }
        await purge(client)
        await client.reported(text: "queue 1 cannot be deleted")
        disk.repair()
        await settle(client, after: 1)
        client.analytics.track(name: "after")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["after"])
        await client.ended()
        #expect(await sentNext(folder) == [])
    }

    @Test("Queues in a folder that cannot be listed are purged later, and not adopted before")
    func unlistedFolder() async throws {
        let (folder, disk) = (try TemporaryFolder(), BrokenDisk())
        let (own, left) = (Client.storing(in: folder.url), Client.storing(in: folder.url))
        left.analytics.track(name: "given up")
        await own.ended()
        await left.ended()
        let client = Client(folder: folder.url) { $0.files(disk) }
        disk.fail { operation, path in operation == .list && !path.contains("lane-") ? 5 : nil }
        await purge(client)
        await client.reported(text: "queues of ended processes cannot be deleted")
        disk.repair()
        client.analytics.track(name: "during")
        #expect(await client.flushed() == .sent)
        await settle(client, after: 1)
        client.analytics.track(name: "after")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["during", "after"])
        await client.ended()
        #expect(await sentNext(folder) == [])
    }
}
