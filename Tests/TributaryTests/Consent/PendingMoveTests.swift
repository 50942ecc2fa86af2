import Foundation
import TestSupport
import Testing
import TributaryJournal

@testable import Tributary

@Suite("Moving events that waited for consent")
struct PendingMoveTests {
    private let client = Client()
    private let folder: TemporaryFolder
    private let disk: BrokenDisk
    private let pending: FailoverLog
    private let inbox: FailoverLog

    init() throws {
        let (folder, disk) = (try TemporaryFolder(), BrokenDisk())
        let directory = client.analytics.eventQueue.directory
        func log(_ name: String) throws -> FailoverLog {
            let path = folder.url.appendingPathComponent(name).path
            return directory.log(name, try Journal.open(path, options: JournalOptions(), files: disk))
        }
        pending = try log("pending")
        inbox = try log("inbox")
        (self.folder, self.disk) = (folder, disk)
        for number in 1...3 { pending.append([UInt8(number)]) }
    }

    @Test("Events that were moved and processed while the disk refused are not moved again")
    func processedInMemory() async {
        disk.fill()
        var move = PendingMove(from: pending, to: inbox)
        let moved = move.step(from: pending, to: inbox, number: 0)
        #expect(!moved)
        #expect(inbox.count == 3)
        #expect(pending.count == 3)
        inbox.removeSpilled(through: inbox.end)
        pending.append([4])
        disk.repair()
        while move.step(from: pending, to: inbox, number: 0) {}
        #expect(inbox.count == 1)
        await returnedToDisk()
        while move.step(from: pending, to: inbox, number: 0) {}
        #expect(inbox.count == 1)
        #expect(pending.count == 0)
        await client.ended()
    }

    /// Both logs have tried to write what is only in memory.
    private func returnedToDisk() async {
        client.time.advance(by: FailoverLog.retryInterval)
        let queue = client.analytics.eventQueue.directory.host.queue
        await withCheckedContinuation { done in queue.async { done.resume() } }
    }

    @Test("After a crash the move goes on where it stopped")
    func crash() {
        var move = PendingMove(from: pending, to: inbox)
        // The end came before the pending records were removed.
        let moved = move.step(from: pending, to: inbox, number: 0, isSafe: false)
        #expect(!moved)
        pending.append([4])
        var next = PendingMove(from: pending, to: inbox)
        while next.step(from: pending, to: inbox, number: 0) {}
        #expect(inbox.count == 4)
        #expect(pending.count == 0)
    }

    @Test("Moved events that an ended process could not remove do not wait for consent")
    func moved() throws {
        var move = PendingMove(from: pending, to: inbox)
        _ = move.step(from: pending, to: inbox, number: 0, isSafe: false)
        pending.append([4])
        pending.close()
        let path = folder.url.appendingPathComponent("pending").path
        let again = client.analytics.eventQueue.directory.log(
            "pending", try Journal.open(path, options: JournalOptions(), files: disk))
        #expect(again.untaken() == 4)
        _ = PendingMove(from: again, to: inbox)
        #expect(again.untaken() == 1)
        again.purge()
        #expect(client.analytics.counters.deleted == 1)
        again.close()
    }

    @Test("While processed events are only in memory, the pending log keeps what was moved")
    func keepsWhatIsOnlyInMemory() {
        disk.fill()
        var move = PendingMove(from: pending, to: inbox)
        var moved = move.step(from: pending, to: inbox, number: 0, isSafe: false)
        #expect(!moved)
        inbox.removeSpilled(through: inbox.end)
        moved = move.step(from: pending, to: inbox, number: 0, isSafe: false)
        #expect(!moved)
        #expect(pending.count == 3)
        moved = move.step(from: pending, to: inbox, number: 0, isSafe: true)
        #expect(!moved)
        #expect(inbox.count == 0)
    }
}
