import Foundation
import Testing

@testable import TributaryJournal

@Suite struct JournalConcurrencyTests {
    @Test("The records of each thread stay in order while another thread reads")
    func order() throws {
        let (threads, each) = (64, 60)
        let folder = try TemporaryFolder()
        let journal = try Journal.open(folder.path, options: .small(2000))
        let isWriting = Locked(true)
        let returned = Locked([UInt64: [UInt8]]())
        let readConcurrently = Locked([JournalRecord]())

        let reader = Thread {
            var cursor = journal.cursor()
            while true {
                let wasWriting = isWriting.withLock { $0 }
                guard let records = try? cursor.next(maxBytes: 500) else { return }
                readConcurrently.withLock { $0 += records }
                try? journal.prepare()
                if records.isEmpty && !wasWriting { break }
            }
            readConcurrently.withLock { $0.append(JournalRecord(sequence: 0, tag: nil, payload: [])) }
        }
        reader.start()
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for index in 0..<each {
                let payload = [UInt8(thread), UInt8(index)]
                guard let sequence = try? journal.append(payload) else { continue }
                returned.withLock { $0[sequence] = payload }
            }
        }
        isWriting.withLock { $0 = false }
        while readConcurrently.withLock({ $0.last?.sequence != 0 }) && !reader.isFinished { sched_yield() }

        let records = try journal.records()
        #expect(records.map(\.sequence) == Array(1...UInt64(threads * each)))
        #expect(records.allSatisfy { record in returned.withLock { $0[record.sequence] == record.payload } })
        for thread in 0..<threads {
            let indices = records.filter { $0.payload[0] == UInt8(thread) }.map { $0.payload[1] }
            #expect(indices == Array(0..<UInt8(each)))
        }
        #expect(readConcurrently.withLock { $0.dropLast() } == records[...])
        #expect(journal.takeReports() == [])
        journal.close()
    }

    @Test("Threads can append, read, remove and close at the same time")
    func together() throws {
        let folder = try TemporaryFolder()
        for _ in 0..<10 {
            let journal = try Journal.open(folder.path, options: .small(500, maximumBytes: 3000))
            DispatchQueue.concurrentPerform(iterations: 8) { role in
                for _ in 0..<50 {
                    switch role {
                    case 0: try? journal.removeThrough(journal.lastSequence / 2)
                    case 1: try? journal.prepare()
                    case 2: try? journal.sync()
                    case 3: _ = try? journal.records()
                    default: _ = try? journal.append(payload(1), snapshot: [9])
                    }
                }
                if role == 7 { journal.close() }
            }
        }
        let journal = try Journal.open(folder.path, options: .small(500, maximumBytes: 3000))
        #expect(journal.takeReports() == [])
        #expect(try journal.records().allSatisfy { $0.payload == payload(1) })
        #expect(journal.snapshot == [9])
        journal.close()
    }
}
