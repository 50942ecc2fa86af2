import Foundation
import TestSupport
import Testing
import TributaryJournal

@testable import Tributary

@Suite("The log of events that the server refused")
struct DeadLetterLogTests {
    private struct Refusal: Error {}

    private let folder: TemporaryFolder
    private let client = Client()
    private var host: LogHost { client.analytics.eventQueue.directory.host }

    init() throws { folder = try TemporaryFolder() }

    private func place(_ name: String, on disk: any FileSystem = PosixFileSystem()) -> DeadLetterLog.Opening {
        let path = folder.url.appendingPathComponent(name).path
        return { try Journal.open(path, options: JournalOptions(), files: disk) }
    }

    private func log(_ open: @escaping DeadLetterLog.Opening) -> DeadLetterLog {
        DeadLetterLog(capacity: 10, host, open)
    }

    @Test("A log that moves to another place has its events there")
    func moves() throws {
        let moved = log(place("old"))
        for byte in [UInt8](1...2) { try moved.append([byte]) }
        try moved.move(to: place("new"))
        try moved.append([3])
        #expect(try moved.read(maxCount: 10) == [[1], [2], [3]])
        moved.close()
        #expect(try log(place("new")).read(maxCount: 10) == [[1], [2], [3]])
        #expect(log(place("old")).count == 0)
    }

    @Test("A place that cannot be opened leaves the log with all of its events in the old place")
    func refusedPlace() throws {
        let kept = log(place("old"))
        for byte in [UInt8](1...2) { try kept.append([byte]) }
        #expect(throws: Refusal.self) { try kept.move { throw Refusal() } }
        try kept.append([3])
        try kept.move(to: place("new"))
        #expect(try kept.read(maxCount: 10) == [[1], [2], [3]])
    }

    @Test("A log that was never used moves without being opened")
    func unused() throws {
        let unused = log { throw Refusal() }
        try unused.move(to: place("new"))
        try unused.append([1])
        #expect(try unused.read(maxCount: 10) == [[1]])
    }

    @Test("A purge of a log that cannot be opened takes effect at the next use")
    func latePurge() throws {
        let first = log(place("old"))
        try first.append([1])
        first.close()
        let isOpenable = LockBox(false)
        let open = place("old")
        let second = log { isOpenable.withLock { $0 } ? try open() : try { throw Refusal() }() }
        second.purge()
        #expect(second.owesPurge)
        isOpenable.withLock { $0 = true }
        second.finishPurge()
        #expect(!second.owesPurge)
        #expect(second.count == 0)
    }

    @Test("An event that the server refuses while the disk is full waits in memory, and goes to the disk later")
    func fullDisk() async throws {
        let disk = BrokenDisk()
        let full = log(place("old", on: disk))
        try full.append([1])
        disk.fill()
        try full.append([2])
        #expect(try full.read(maxCount: 10) == [[1], [2]])
        disk.repair()
        client.time.advance(by: FailoverLog.retryInterval)
        await withCheckedContinuation { done in host.queue.async { done.resume() } }
        full.close()
        #expect(try log(place("old")).read(maxCount: 10) == [[1], [2]])
    }
}
