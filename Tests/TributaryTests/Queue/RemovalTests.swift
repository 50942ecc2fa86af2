import Foundation
import TestSupport
import Testing
import TributaryJournal

@testable import Tributary

@Suite("Removals that the disk refuses")
struct RemovalTests {
    private let client = Client()
    private let folder: TemporaryFolder
    private let disk = BrokenDisk()
    private let log: FailoverLog

    init() throws {
        folder = try TemporaryFolder()
        log = client.analytics.eventQueue.directory.log(
            "outbox", try Journal.open(folder.url.path, options: JournalOptions(), files: disk))
        for number in 1...3 { log.append([UInt8(number)]) }
        disk.fill(30)
    }

    /// What the next process finds.
    private func stored() throws -> JournalHead {
        let next = try Journal.open(folder.url.path)
        defer { next.close() }
        return next.head
    }

    @Test("The later of two removals keeps the place and the mark that go furthest")
    func sum() {
        let first = Removal(through: 5, mark: [1])
        #expect(first.adding(Removal(through: 3)) == Removal(through: 5, mark: [1]))
        #expect(first.adding(Removal(through: 7, mark: [2])) == Removal(through: 7, mark: [2]))
    }

    @Test("A refused removal is stored when the disk accepts it, without a further one")
    func later() async throws {
        log.remove(through: 2, mark: [7])
        #expect(log.untaken() == 1)
        disk.repair()
        client.time.advance(by: FailoverLog.retryInterval)
        let queue = client.analytics.eventQueue.directory.host.queue
        await withCheckedContinuation { done in queue.async { done.resume() } }
        #expect(log.sizeOnDisk.count == 1)
        log.close()
        let head = try stored()
        #expect(head.watermark == 2 && head.mark == [7])
        await client.ended()
    }

    @Test("The removal of records that were only in memory is stored when the disk has their places")
    func inMemory() async throws {
        log.append([4])
        let end = log.end
        disk.repair()
        log.remove(through: end, mark: [7])
        log.close()
        let head = try stored()
        #expect(head.watermark == end && head.lastSequence == end && head.mark == [7])
        await client.ended()
    }

    @Test("A refused removal is stored at the end")
    func atTheEnd() async throws {
        log.remove(through: 1, mark: [7])
        log.remove(through: 3)
        disk.repair()
        log.close()
        let head = try stored()
        #expect(head.watermark == 3 && head.mark == [7])
        await client.ended()
    }

    @Test("A log that moves to another disk takes no removed records along")
    func exchange() async throws {
        log.remove(through: 2, mark: [7])
        let other = try TemporaryFolder()
        let new = try Journal.open(other.url.path)
        try log.exchange(for: new, after: 0)
        #expect(log.sizeOnDisk.count == 1)
        #expect(new.head.mark == [7])
        log.close()
        await client.ended()
    }

    @Test("Confirmed events are not sent again by the next process when the disk recovers in time")
    func restart() async throws {
        let (folder, disk) = (try TemporaryFolder(), BrokenDisk())
        let first = Client(folder: folder.url) { $0.files(disk) }
        for number in 1...3 { first.analytics.track(name: "E\(number)") }
        await first.processed()
        disk.fill(30)
        #expect(await first.flushed() == .sent)
        disk.repair()
        await first.ended()
        let next = Client(time: ManualTime(later: 7200), folder: folder.url)
        #expect(await next.flushed() == .sent)
        #expect(next.server.events.isEmpty)
        await next.ended()
        await client.ended()
    }

    @Test("An event that a plugin dropped counts once, also when the disk recovers only at the end")
    func dropped() async throws {
        let (folder, disk) = (try TemporaryFolder(), BrokenDisk())
        func client() -> Client {
            let client = Client(time: ManualTime(later: 7200), folder: folder.url) { $0.files(disk) }
            client.analytics.add(plugin: Recorder(name: "Dropper") { _ in nil })
            return client
        }
        let first = client()
        first.analytics.track(name: "E1")
        disk.fill(30)
        await first.processed()
        disk.repair()
        await first.ended()
        let next = client()
        _ = await next.flushed()
        #expect(next.analytics.counters.droppedByPlugin.isEmpty)
        await next.ended()
        await self.client.ended()
    }

    @Test("A purge does not count events that the outbox has already")
    func purgedAfterRestart() async throws {
        let (folder, disk) = (try TemporaryFolder(), BrokenDisk())
        let first = Client(folder: folder.url) { $0.files(disk) }
        first.server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        for number in 1...3 { first.analytics.track(name: "E\(number)") }
        // The inbox keeps its records, and the outbox has them as well.
        disk.fail { operation, path in operation == .make && path.contains("/inbox/") ? 30 : nil }
        await first.processed()
        await first.ended()
        let next = Client.storing(in: folder.url)
        await withCheckedContinuation { done in next.analytics.purgeStorage { done.resume() } }
        #expect(next.analytics.counters.deleted == 3)
        await next.ended()
        await client.ended()
    }

    @Test("Places that no record has do not count as waiting events")
    func gaps() async throws {
        let (folder, disk) = (try TemporaryFolder(), BrokenDisk())
        let client = Client.storing(in: folder.url) { $0.files(disk) }
        for number in 1...30 { client.analytics.track(name: "E\(number)") }
        disk.fill(30)
        client.analytics.track(name: "E31")
        #expect(client.analytics.eventQueue.unprocessed == 31)
        client.analytics.eventQueue.position = 30
        #expect(client.analytics.eventQueue.unprocessed == 1)
        await client.ended()
        await self.client.ended()
    }
}
