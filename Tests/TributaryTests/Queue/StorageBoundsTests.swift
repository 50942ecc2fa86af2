import Foundation
import TestSupport
import Testing
import TributaryJournal

@testable import Tributary

@Suite("The bound of waiting events on disk")
struct StorageBoundsTests {
    @Test(
        "Each client has an even share of the limit, and the room that other clients do not need",
        arguments: [
            (1, 0, 1000), (2, 0, 1000), (2, 300, 700), (2, 900, 500), (4, 2000, 250),
        ])
    func share(live: Int, others: Int, expected: Int) {
        let limits = JournalBounds(bytes: 1000, records: 1000, age: 60)
        let bounds = QueueBudget.bounds(of: limits, live: live, othersBytes: others, othersRecords: others)
        #expect(bounds == JournalBounds(bytes: expected, records: expected, age: 60))
    }

    @Test("Inbox and outbox together stay within the limit plus an eighth")
    func split() {
        let limits = JournalBounds(bytes: 8000, records: 8000, age: 60)
        for (inbox, outbox) in [(0, 0), (8000, 0), (0, 8000), (4000, 4000), (8000, 8000)] {
            let parts = QueueBudget.split(
                limits, inboxBytes: inbox, inboxRecords: inbox, outboxBytes: outbox, outboxRecords: outbox)
            #expect(min(inbox, parts.inbox.bytes) + parts.outbox.bytes <= 9000)
            #expect(parts.inbox.bytes >= 1000)
            #expect(parts.outbox.bytes >= 1000)
        }
    }

    @Test("While nothing can be sent the newest events stay, and dropped ones are counted")
    func count() async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let client = Client(server: server, folder: folder.url) { $0.storageLimits(events: 800) }
        for round in 0..<20 {
            for number in 0..<100 { client.analytics.track(name: "E\(round * 100 + number)") }
            await client.processed()
        }
        client.time.advance(by: Limits.storageCheckInterval)
        await client.processed()
        let waiting = client.analytics.storageState.waitingEvents
        #expect(waiting <= 1000)
        #expect(client.analytics.counters.lost["records_bound"] == 2000 - waiting)
        await client.ended()
        let next = Client(time: ManualTime(later: 7200), folder: folder.url) { $0.storageLimits(events: 800) }
        // The client may make room again before it has sent them all, and then it says so.
        let outcome = await next.flushed()
        let dropped = next.analytics.counters.lost
        #expect(outcome == (dropped.isEmpty ? .sent : .dropped(reasons: dropped)))
        // The events are in order, up to the newest. Events under way are kept when room is made, so there may be a gap
        // behind them.
        let sent = next.server.names.compactMap { Int($0.dropFirst()) }
        #expect(sent == sent.sorted())
        #expect(sent.last == 1999)
        let lost = [client, next].reduce(0) { $0 + $1.analytics.counters.lost.values.reduce(0, +) }
        #expect(sent.count + lost == 2000)
        await next.ended()
    }

    @Test("Events dropped for room behind a batch under way are counted as lost and not sent")
    func behindBatch() async throws {
        let folder = try TemporaryFolder()
        let (client, transport) = await waiting(in: folder)
        client.analytics.flush()
        // The server gets half of the batch again, and the other half was read already.
        await transport.batches(1)
        transport.answer(0, 413)
        await transport.batches(2)
        try await overflow(client, transport, underWay: 20)
    }

    @Test("A batch under way does not count as lost when its folder was deleted and made again with less room")
    func exchangedUnderBatch() async throws {
        let folder = try TemporaryFolder()
        let (client, transport) = await waiting(in: folder)
        // The next look at the files comes before the request is late.
        client.time.advance(by: Limits.storageCheckInterval - 1)
        client.analytics.flush()
        await transport.batches(1)
        try folder.delete("tributary")
        client.time.advance(by: 2)
        await client.reported(reason: "recovered")
        try await overflow(client, transport, underWay: 40)
    }

    /// A client with room for 80 events in whose outbox 40 wait, and what holds its batches, which go out when the test says.
    private func waiting(in folder: TemporaryFolder) async -> (Client, HeldTransport) {
        let server = TestServer()
        let transport = HeldTransport(server)
        let client = Client(server: server, folder: folder.url) {
            $0.transport(transport).storageLimits(events: 80).flushPolicies([])
        }
        for number in 0..<40 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        return (client, transport)
    }

    /// Tracks 200 events more, for which there is no room, before anything arrives: those under way arrive first, and of
    /// all each one either arrives or counts as lost.
    private func overflow(_ client: Client, _ transport: HeldTransport, underWay: Int) async throws {
        for number in 40..<240 {
            client.analytics.track(name: "E\(number)")
            if number % 10 == 9 { await client.processed() }
        }
        transport.open()
        let result = await client.flushed()
        let lost = try #require(client.analytics.counters.lost["records_bound"])
        #expect(result == .dropped(reasons: client.analytics.counters.lost))
        let sent = client.server.names.compactMap { Int($0.dropFirst()) }
        #expect(Array(sent.prefix(underWay)) == Array(0..<underWay))
        #expect(sent == sent.sorted())
        #expect(sent.count + lost == 240)
        await client.ended()
    }

    @Test("Delivery goes on while events are dropped all the time")
    func roomWhileReading() async throws {
        let (folder, disk, server) = (try TemporaryFolder(), BrokenDisk(), TestServer())
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let client = Client(server: server, folder: folder.url) { $0.files(disk).storageLimits(events: 80) }
        for number in 0..<200 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        await client.reported(.delivery, count: 1)  // and the pause has begun
        let outbox = client.analytics.eventQueue.outbox
        let event = try #require(outbox.read(after: outbox.start, maxBytes: 0, maxCount: 1).records.first).payload
        let (rounds, isMakingRoom) = (LockBox(0), LockBox(false))
        // A reader finds that others write, up to a number that only an endless loop reaches.
        disk.fail { operation, path in
            guard operation == .read, path.contains("/outbox/") else { return nil }
            // Making room reads segments, too.
            guard !isMakingRoom.withLock({ $0 }), rounds.withLock({ $0 }) < 1000 else { return nil }
            rounds.withLock { $0 += 1 }
            isMakingRoom.withLock { $0 = true }
            for _ in 0..<40 { outbox.append(event) }
            outbox.prepare()
            isMakingRoom.withLock { $0 = false }
            return nil
        }
        let atBatches = LockBox([0])
        server.answerBatches { _ in
            atBatches.withLock { $0.append(rounds.withLock { $0 }) }
            return nil
        }
        client.time.advance(by: 3600)
        #expect(await client.flushed() == .dropped(reasons: client.analytics.counters.lost))
        disk.repair()
        // There is room for some ten segments, and each is read once or twice. Events that come meanwhile are not read.
        let counts = atBatches.withLock { $0 }
        let longest = zip(counts, counts.dropFirst()).map { $1 - $0 }.max() ?? .max
        #expect(longest < 40, "rounds at each batch: \(counts)")
        await client.ended()
    }

    @Test("The disk stays bounded before the start too")
    func beforeStart() async throws {
        let folder = try TemporaryFolder()
        let client = Client.storing(in: folder.url) { $0.storageLimits(bytes: 1 << 20) }
        let filler = String(repeating: "x", count: 4000)
        for number in 0..<1000 {
            client.analytics.track(name: "E\(number)", properties: ["filler": filler])
        }
        client.time.advance(by: Limits.storageCheckInterval)
        await client.executed()
        #expect(client.analytics.storageState.waitingBytes < 1_400_000)
        #expect(client.analytics.counters.lost["bytes_bound", default: 0] > 0)
        await client.ended()
    }

    @Test("Events that were stored too long ago are dropped, whatever their timestamps")
    func age() async throws {
        let folder = try TemporaryFolder()
        let first = Client.storing(in: folder.url) { $0.storageLimits(age: 86_400) }
        first.analytics.track(name: "old")
        await first.ended()
        let time = ManualTime()
        time.setClock(by: 3 * 86_400)
        let second = Client.storing(in: folder.url, time: time) { $0.storageLimits(age: 86_400) }
        second.analytics.track(name: "new")
        for _ in 0..<3 {
            time.setClock(by: 1000)
            second.analytics.track(name: "newer")
            second.time.advance(by: Limits.storageCheckInterval)
            await second.executed()
        }
        await second.ended()
        let next = Client(time: time, folder: folder.url) { $0.storageLimits(age: 86_400) }
        #expect(await next.flushed() == .sent)
        #expect(!next.server.names.contains("old"))
        #expect(next.server.names.contains("new"))
        await next.ended()
    }
}
