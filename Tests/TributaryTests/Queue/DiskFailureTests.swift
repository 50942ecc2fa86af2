import Foundation
import TestSupport
import Testing
import TributaryJSON
import TributaryJournal

@testable import Tributary

@Suite("A disk that fails")
struct DiskFailureTests {
    private func client(_ disk: BrokenDisk, _ folder: TemporaryFolder) -> Client {
        Client(folder: folder.url) { $0.files(disk) }
    }

    private func waiting(_ folder: TemporaryFolder, _ disk: BrokenDisk? = nil) -> Client {
        Client.storing(in: folder.url) { if let disk { $0.files(disk) } }
    }

    /// The time of the client's own retries goes by, and whatever they set off is done.
    private func retry(_ client: Client, after seconds: Double = 60) async {
        client.time.advance(by: seconds)
        await withCheckedContinuation { continuation in
            client.analytics.eventQueue.directory.host.queue.async { continuation.resume() }
        }
    }

    @Test("A full disk keeps new events in memory, and writes them in order when there is room", arguments: [28, 30])
    func full(errno: Int32) async throws {
        let (disk, folder) = (BrokenDisk(), try TemporaryFolder())
        let client = waiting(folder, disk)
        client.analytics.track(name: "E1")
        #expect(client.analytics.storageState.survivesProcess)
        disk.fill(errno)
        for number in 2...20 { client.analytics.track(name: "E\(number)") }
        let state = client.analytics.storageState
        #expect(state.reason == (errno == 28 ? .noSpace : .readOnly))
        #expect(state.waitingEvents == 20)
        #expect(state.queues.first?.inMemory == 19)
        disk.repair()
        await retry(client)
        #expect(client.analytics.storageState.survivesProcess)
        #expect(client.analytics.storageState.queues.first?.inMemory == 0)
        for number in 21...30 { client.analytics.track(name: "E\(number)") }
        await client.reported(reason: "recovered")
        let reasons = client.diagnostics.all(.storage).map { $0.reason?.description }
        #expect(reasons.filter { $0 == (errno == 28 ? "no_space" : "read_only") }.count == 1)
        await client.ended()
        let next = Client(folder: folder.url)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == (1...30).map { "E\($0)" })
        await next.ended()
    }

    @Test("With a disk that stays full, tracked events are still delivered once")
    func staysFull() async throws {
        let (disk, folder) = (BrokenDisk(), try TemporaryFolder())
        let client = client(disk, folder)
        client.analytics.track(name: "E0")
        #expect(await client.flushed() == .sent)
        disk.fill()
        for number in 1...3000 {
            client.analytics.track(name: "E\(number)")
            if number % 500 == 0 { #expect(await client.flushed() == .sent) }
        }
        #expect(client.server.names == (0...3000).map { "E\($0)" })
        #expect(client.analytics.counters.lost.isEmpty)
        #expect(!client.analytics.hasUnsentEvents)
        disk.repair()
        await retry(client)
        client.analytics.track(name: "last")
        #expect(await client.flushed() == .sent)
        await client.ended()
        // The time passes later, because the full disk may have refused to store the server's answer.
        let next = Client(time: ManualTime(later: 7200), folder: folder.url)
        #expect(await next.flushed() == .sent)
        #expect(next.server.events.isEmpty)
        await next.ended()
    }

    @Test("A disk that refuses for long leaves memory bounded, and dropped events are counted")
    func bounded() async throws {
        let (disk, folder) = (BrokenDisk(), try TemporaryFolder())
        let client = waiting(folder, disk)
        disk.fill()
        let count = Limits.memoryEvents + 500
        for number in 0..<count { client.analytics.track(name: "E\(number)") }
        #expect(client.analytics.storageState.waitingEvents == Limits.memoryEvents)
        #expect(client.analytics.counters.lost == ["memory_full": 500])
        disk.repair()
        await retry(client)
        await client.ended()
        let next = Client(folder: folder.url)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == (500..<count).map { "E\($0)" })
        await next.ended()
    }

    @Test("Events that the disk refuses until the end count as lost")
    func refusesUntilTheEnd() async throws {
        let (disk, folder) = (BrokenDisk(), try TemporaryFolder())
        let client = waiting(folder, disk)
        client.analytics.track(name: "E1")
        disk.fill()
        for number in 2...5 { client.analytics.track(name: "E\(number)") }
        await client.ended()
        #expect(client.analytics.counters.tracked == 5)
        #expect(client.analytics.counters.lost == ["no_space": 4])
        disk.repair()
        let next = Client(folder: folder.url)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == ["E1"])
        await next.ended()
    }

    @Test("Processed events that the next process finds in the inbox are not lost")
    func refusesOutboxUntilTheEnd() async throws {
        let (disk, folder) = (BrokenDisk(), try TemporaryFolder())
        let client = Client(folder: folder.url) { $0.files(disk).flushPolicies([]) }
        disk.fail { operation, path in [.write, .make].contains(operation) && path.contains("/outbox/") ? 30 : nil }
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        await client.ended()
        #expect(client.analytics.counters.lost.isEmpty)
        disk.repair()
        let next = Client(folder: folder.url)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == (1...5).map { "E\($0)" })
        await next.ended()
    }

    @Test("A disk that fails at times costs and repeats no event, and keeps each thread's order")
    func manyThreads() async throws {
        let (disk, folder) = (BrokenDisk(), try TemporaryFolder())
        let client = client(disk, folder)
        client.begin()
        let analytics = client.analytics
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<60 { analytics.track(name: "\(thread)-\(number)") }
                }
            }
            group.addTask {
                for round in 0..<60 {
                    if round % 2 == 0 { disk.fill() } else { disk.repair() }
                    // The whole test stays within the deadline of a request, because a request after its deadline is
                    // rightly sent again.
                    client.time.advance(by: Limits.requestDeadline / 80)
                    await Task.yield()
                }
            }
        }
        disk.repair()
        await retry(client, after: FailoverLog.retryInterval)
        #expect(await client.flushed() == .sent)
        for thread in 0..<8 {
            let names = client.server.names.filter { $0.hasPrefix("\(thread)-") }
            #expect(names == (0..<60).map { "\(thread)-\($0)" })
        }
        #expect(analytics.counters.lost.isEmpty)
        await client.ended()
    }

    @Test(
        "A folder that is deleted under the client is made again with the unsent events",
        arguments: [
            "tributary", "tributary/KEY", "tributary/KEY/lane-0", "tributary/KEY/lane-0/inbox",
        ])
    func deleted(path: String) async throws {
        let folder = try TemporaryFolder()
        let client = waiting(folder)
        // This call opens the files.
        #expect(client.analytics.deadLetters().isEmpty)
        client.analytics.identify(userId: "u-1")
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        try folder.delete(path)
        for number in 6...10 { client.analytics.track(name: "E\(number)") }
        client.time.advance(by: Limits.storageCheckInterval)
        await client.reported(reason: "recovered")
        for number in 11...15 { client.analytics.track(name: "E\(number)") }
        #expect(client.analytics.storageState.survivesProcess)
        let anonymousId = client.analytics.anonymousId
        await client.ended()
        let next = Client(folder: folder.url)
        #expect(next.analytics.userId == "u-1")
        #expect(next.analytics.anonymousId == anonymousId)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == (1...15).map { "E\($0)" })
        #expect(next.analytics.counters.lost.isEmpty)
        await next.ended()
    }

    @Test("Events whose folder is deleted are sent once, by this client or the next")
    func deletedOutbox() async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let client = Client(server: server, folder: folder.url)
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        try folder.delete("tributary")
        client.time.advance(by: Limits.storageCheckInterval)
        await client.reported(reason: "recovered")
        client.analytics.track(name: "E6")
        await client.processed()
        await client.ended()
        let next = Client(time: ManualTime(later: 7200), folder: folder.url)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == (1...6).map { "E\($0)" })
        await next.ended()
    }

    @Test("A client whose folder was deleted and taken by another goes on, and no event is lost")
    func replaced() async throws {
        let folder = try TemporaryFolder()
        let client = waiting(folder)
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        try folder.delete("tributary")
        let other = waiting(folder)
        #expect(other.analytics.eventQueue.number == 0)
        client.time.advance(by: Limits.storageCheckInterval)
        await client.reported(reason: "recovered")
        #expect(client.analytics.eventQueue.number == 1)
        client.analytics.track(name: "E6")
        other.analytics.track(name: "O1")
        await client.ended()
        await other.ended()
        let next = Client(folder: folder.url)
        next.begin()
        await next.server.confirmed(7)
        #expect(next.server.names.filter { $0.hasPrefix("E") } == (1...6).map { "E\($0)" })
        #expect(next.server.names.contains("O1"))
        await next.ended()
    }

    @Test("Events that a client sends after its folder was deleted are not sent again")
    func replacedWhileSending() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url)
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        try folder.delete("tributary")
        let other = waiting(folder)
        for number in 1...5 { other.analytics.track(name: "O\(number)") }
        client.analytics.track(name: "E6")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == (1...6).map { "E\($0)" })
        // When nothing waits, the next event looks at the files.
        client.time.advance(by: Limits.storageCheckInterval)
        client.analytics.track(name: "E7")
        await client.reported(reason: "recovered")
        #expect(await client.flushed() == .sent)
        await client.ended()
        await other.ended()
        let next = Client(time: ManualTime(later: 7200), folder: folder.url)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == (1...5).map { "O\($0)" })
        await next.ended()
    }

    @Test("Without a disk at the start events wait in memory, and go to disk when there is one")
    func lateDisk() async throws {
        let (disk, folder) = (BrokenDisk(), try TemporaryFolder())
        disk.fail { _, _ in 30 }
        let client = waiting(folder, disk)
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        #expect(client.analytics.storageState.reason == .readOnly)
        disk.repair()
        client.time.advance(by: Limits.storageCheckInterval)
        await client.reported(reason: "recovered")
        // The diagnostic comes when the queue has its files. The identity is read right after it.
        await client.executed()
        #expect(client.analytics.storageState.survivesProcess)
        client.analytics.track(name: "E6")
        await client.ended()
        let next = Client(folder: folder.url)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == (1...6).map { "E\($0)" })
        await next.ended()
    }

    @Test(
        "A file that cannot be read for a while is read later, and events arrive in order",
        arguments: [
            "inbox", "outbox",
        ])
    func unreadable(log: String) async throws {
        let (disk, folder) = (BrokenDisk(), try TemporaryFolder())
        // Events of an earlier client are read from disk in any case.
        let first = Client.storing(in: folder.url)
        first.analytics.track(name: "E0")
        await first.ended()
        let client = client(disk, folder)
        disk.fail { operation, path in operation == .read && path.contains("/\(log)/") ? 13 : nil }
        for number in 1...50 { client.analytics.track(name: "E\(number)") }
        client.begin()
        await client.reported(reason: "unreadable")
        #expect(client.server.events.isEmpty)
        disk.repair()
        while !client.server.names.contains("E50") {
            client.time.advance(by: Backoff.storage.longest)
            await Task.yield()
        }
        // The time that goes by may be more than a request has, which is then rightly sent again.
        var seen = Set<JSON>()
        let arrived = client.server.events.filter { seen.insert($0["messageId"] ?? .null).inserted }
        #expect(arrived.compactMap { $0["event"]?.stringValue } == (0...50).map { "E\($0)" })
        #expect(client.diagnostics.all(.storage).filter { $0.reason?.description == "unreadable" }.count == 1)
        await client.ended()
    }

    @Test("A clock that moves by a day changes no order and costs no event", arguments: [-86_400, 86_400])
    func clock(seconds: Double) async throws {
        let folder = try TemporaryFolder()
        let client = waiting(folder)
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        client.time.setClock(by: seconds)
        for number in 6...10 { client.analytics.track(name: "E\(number)") }
        client.time.advance(by: Limits.storageCheckInterval)
        await client.ended()
        let next = Client(time: client.time, folder: folder.url)
        #expect(next.analytics.storageState.queues.map(\.number) == [0], "\(next.analytics.storageState)")
        next.time.setClock(by: -seconds)
        next.analytics.track(name: "E11")
        // Timers follow the time that has gone by, not the clock.
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == (1...11).map { "E\($0)" })
        #expect(next.analytics.counters.lost.isEmpty)
        await next.ended()
    }

    @Test("Damaged files cost only their own events, counted and reported", arguments: ["inbox", "outbox"])
    func damaged(log: String) async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let client = log == "inbox" ? waiting(folder) : Client(server: server, folder: folder.url)
        for number in 1...20 { client.analytics.track(name: "Event number \(number)") }
        if log == "outbox" { await client.processed() }
        await client.ended()
        try Self.damage(folder.url.appendingPathComponent("tributary/KEY/lane-0/\(log)"), at: "Event number 7")
        let errors = LockBox<[String?]>([])
        let next = Client(time: ManualTime(later: 7200), folder: folder.url) {
            $0.errorHandler { error in
                errors.withLock { $0.append((error as? AnalyticsError)?.diagnostic?.reason?.description) }
            }
        }
        #expect(await next.flushed() == .dropped(reasons: ["damaged": 1]))
        #expect(next.server.names == (1...20).filter { $0 != 7 }.map { "Event number \($0)" })
        #expect(next.analytics.counters.lost == ["damaged": 1])
        #expect(errors.withLock { $0 }.filter { $0 == "damaged" }.count == 1)
        await next.ended()
    }

    @Test("A write to the outbox whose beginning was lost in a power cut is repeated, and events keep their order")
    func tornHandOver() async throws {
        let folder = try TemporaryFolder()
        let queue = folder.url.appendingPathComponent("tributary/KEY/lane-0")
        let tracking = waiting(folder)
        for number in 1...20 { tracking.analytics.track(name: "Event number \(number)") }
        await tracking.ended()
        let inbox = (queue.appendingPathComponent("inbox"), folder.url.appendingPathComponent("kept"))
        try FileManager.default.copyItem(at: inbox.0, to: inbox.1)
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let processing = Client(server: server, time: ManualTime(later: 60), folder: folder.url)
        await processing.processed()
        await processing.ended()
        // The inbox's place had not been stored when the power went out.
        try FileManager.default.removeItem(at: inbox.0)
        try FileManager.default.moveItem(at: inbox.1, to: inbox.0)
        try Self.damage(queue.appendingPathComponent("outbox"), at: "Event number 7")
        let next = Client(time: ManualTime(later: 7200), folder: folder.url)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == (1...20).map { "Event number \($0)" })
        #expect(next.analytics.counters.lost.isEmpty)
        await next.ended()
    }

    /// Changes a byte of the record that holds the text.
    private static func damage(_ folder: URL, at text: String) throws {
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            var data = try Data(contentsOf: file)
            guard let range = data.range(of: Data(text.utf8)) else { continue }
            data[range.lowerBound] ^= 0xFF
            try data.write(to: file)
            return
        }
        Issue.record("there is no such event on disk")
    }
}
