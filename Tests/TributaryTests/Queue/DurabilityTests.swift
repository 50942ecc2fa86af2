import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("The durability of events")
struct DurabilityTests {
    private func client(_ durability: Durability, _ disk: BrokenDisk, _ folder: TemporaryFolder) -> Client {
        Client.storing(in: folder.url) { $0.files(disk).durability(durability) }
    }

    @Test("With power-loss durability an event is on the medium when its call returns")
    func powerLoss() async throws {
        let (disk, folder) = (BrokenDisk(), try TemporaryFolder())
        let client = client(.powerLoss, disk, folder)
        for number in 1...5 {
            let before = disk.syncs
            client.analytics.track(name: "E\(number)")
            #expect(disk.syncs > before)
        }
        await client.ended()
    }

    @Test("With a sync interval calls do not wait, and events are on the medium after it")
    func interval() async throws {
        let (disk, folder) = (BrokenDisk(), try TemporaryFolder())
        let client = client(.interval(5), disk, folder)
        let before = disk.syncs
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        #expect(disk.syncs == before)
        for _ in 0..<3 {
            let before = disk.syncs
            client.analytics.track(name: "more")
            client.time.advance(by: 5)
            await withCheckedContinuation { continuation in
                client.analytics.eventQueue.directory.host.queue.async { continuation.resume() }
            }
            #expect(disk.syncs > before)
        }
        await client.ended()
    }

    @Test("With an interval the inbox keeps an event until the outbox is synced")
    func orderOfInterval() async throws {
        let (disk, folder) = (BrokenDisk(), try TemporaryFolder())
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let client = Client(server: server, folder: folder.url) { $0.files(disk).durability(.interval(5)) }
        let eventQueue = client.analytics.eventQueue
        for round in 1...3 {
            for number in 1...5 { client.analytics.track(name: "E\(number)") }
            await client.processed()
            #expect(eventQueue.inbox.start == UInt64(5 * round - 5))
            #expect(eventQueue.outbox.count == 5 * round)
            client.time.advance(by: 5)
            await withCheckedContinuation { done in eventQueue.directory.host.queue.async { done.resume() } }
            #expect(eventQueue.inbox.start == UInt64(5 * round))
        }
        await client.ended()
    }

    @Test("With the default durability nothing waits for the medium")
    func process() async throws {
        let (disk, folder) = (BrokenDisk(), try TemporaryFolder())
        let client = client(.process, disk, folder)
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        client.time.advance(by: 60)
        await client.ended()
        #expect(disk.syncs == 0)
    }

    /// A cut leaves a gap in the outbox, and takes the newest events from the inbox, of which the outbox has one.
    @Test(
        "Events arrive in their order after a power cut, also beside one that only the outbox has",
        arguments: [Durability.powerLoss, .interval(5)])
    func orderAfterCut(durability: Durability) async throws {
        let sent = try await sentAfterCut(durability)
        #expect(sent == ["E1", "E2", "E3", "E4"])
    }

    @Test("With the default durability an event that only the outbox has is kept, before older ones")
    func orderAfterCutOfProcess() async throws {
        let sent = try await sentAfterCut(.process)
        #expect(sent.prefix(2) == ["E1", "E3"])
        #expect(Set(sent) == ["E1", "E2", "E3", "E4", "E5"])
    }

    /// What the server gets after the cut, repetitions left out.
    private func sentAfterCut(_ durability: Durability) async throws -> [String] {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        // With the interval, the inbox keeps the events until a time that does not come.
        let client = Client(server: server, folder: folder.url) { $0.durability(.interval(5)) }
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        let disk = try folder.copy()
        await client.ended()
        try change("inbox", of: disk, at: "E5") { bytes, place in bytes.removeSubrange(place...) }
        try change("outbox", of: disk, at: "E2") { bytes, place in bytes[place] ^= 1 }

        let next = Client(folder: disk.url) { $0.durability(durability) }
        await next.flushed()
        var sent: [String] = []
        for name in next.server.names where !sent.contains(name) { sent.append(name) }
        await next.ended()
        return sent
    }

    private func change(
        _ log: String, of folder: TemporaryFolder, at name: String, _ body: (inout [UInt8], Int) -> Void
    ) throws {
        let file = folder.url.appendingPathComponent("tributary/KEY/lane-0/\(log)/0000000000000001.tjl")
        var bytes = [UInt8](try Data(contentsOf: file))
        let place = try #require(bytes.firstRange(of: Array("\"\(name)\"".utf8))?.lowerBound)
        body(&bytes, place)
        try Data(bytes).write(to: file)
    }
}
