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
}
