import Foundation
import Testing

@testable import TributaryJournal

@Suite(.timeLimit(.minutes(30))) struct JournalCommitTests {
    let folder: TemporaryFolder
    let files = FaultyFileSystem()

    init() throws { folder = try TemporaryFolder() }

    private func options(_ durability: JournalOptions.Durability) -> JournalOptions {
        var options = JournalOptions.small(100_000)
        options.durability = durability
        return options
    }

    /// The operations that the disk has seen, and whether it fails.
    private struct Disk: Sendable {
        var writes = 0
        var syncs = 0
        var returned = 0
        var fails = false
    }

    /// Counts operations, and lets a sync return only when the condition holds.
    private func watch(_ disk: Monitor<Disk>, _ maySync: @escaping @Sendable (Disk) -> Bool = { _ in true }) {
        files.setRule { operation, _ in
            switch operation {
            case .write: disk.change { $0.writes += 1 }
            case .sync:
                disk.change { $0.syncs += 1 }
                let fails = disk.wait { maySync($0) ? $0.fails : nil }
                if fails { return .error(5) }
            default: break
            }
            return nil
        }
    }

    @Test("Threads that append at the same time share syncs")
    func sharedSync() throws {
        let threads = 40
        let disk = Monitor(Disk())
        try withJournal(folder, options(.groupCommit), files: files) { journal throws in
            // The first record begins the segment, which has its own syncs.
            try journal.append(payload(0))
            disk.change { $0 = Disk() }
            // The first sync takes until all threads have written.
            watch(disk) { $0.writes == threads }
            for _ in 0..<threads {
                Thread {
                    _ = try? journal.append(payload(1))
                    disk.change { $0.returned += 1 }
                }.start()
            }
            _ = disk.wait { $0.returned == threads ? true : nil }
            // One sync for the threads that wrote before it, one for the others, and one more for the very last.
            #expect((1...3).contains(disk.change { $0.syncs }))
            #expect(journal.count == threads + 1)
        }
    }

    @Test("With group commit an append returns after the sync of its record")
    func returnsAfterSync() throws {
        let disk = Monitor(Disk())
        try withJournal(folder, options(.groupCommit), files: files) { journal throws in
            try journal.append(payload(0))
            disk.change { $0 = Disk() }
            let returnedAtSync = Locked<[Int]>([])
            watch(disk) { disk in
                returnedAtSync.withLock { $0.append(disk.returned) }
                return true
            }
            for _ in 0..<20 {
                try journal.append(payload(1))
                disk.change { $0.returned += 1 }
            }
            #expect(returnedAtSync.withLock { $0 } == Array(0..<20))
        }
    }

    @Test("Many appends with completions share few syncs and two threads")
    func manyInFlight() async throws {
        let requests = 500
        let disk = Monitor(Disk())
        let journal = try Journal.open(folder.path, options: options(.process), files: files)
        try journal.append(payload(0))
        disk.change { $0 = Disk() }
        watch(disk) { $0.writes == requests }
        let told = Monitor([Int: JournalError?]())
        let threads = Locked(Set<UInt>())
        for request in 0..<requests {
            try journal.append(payload(UInt64(request))) { error in
                _ = threads.withLock {
                    $0.insert(UInt(bitPattern: Unmanaged.passUnretained(Thread.current).toOpaque()))
                }
                told.change { $0[request] = .some(error) }
            }
        }
        let errors = told.wait { $0.count == requests ? $0.values.compactMap { $0 } : nil }
        #expect(errors == [])
        #expect((1...3).contains(disk.change { $0.syncs }))
        // The thread of the journal, and this thread for records that were durable already.
        #expect(threads.withLock { $0.count } <= 2)
        journal.close()
    }

    @Test("An asynchronous append returns the sequence of its record, or throws its error")
    func asynchronous() async throws {
        let journal = try Journal.open(folder.path, options: options(.groupCommit), files: files)
        let sequences = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for index in 0..<200 as Range<UInt64> { group.addTask { try await journal.appendDurably(payload(index)) } }
            return try await group.reduce(into: Set<UInt64>()) { $0.insert($1) }
        }
        #expect(sequences == Set(1...200))
        #expect(journal.count == 200)
        await #expect(throws: JournalError.self) {
            try await journal.appendDurably([UInt8](repeating: 0, count: JournalLimits.payloadBytes + 1))
        }
        journal.close()
        await #expect(throws: JournalError.closed) { try await journal.appendDurably([1]) }
    }

    @Test("A failed sync fails appends that waited for it, and later appends work")
    func failedSync() throws {
        let threads = 10
        let disk = Monitor(Disk())
        let failures = Locked(0)
        try withJournal(folder, options(.groupCommit), files: files) { journal throws in
            try journal.append(payload(0))
            disk.change { $0 = Disk() }
            // Only the first sync waits for all threads: a later sync can be that of a new segment, while no thread
            // writes.
            watch(disk) { $0.writes == threads || $0.syncs > 1 }
            disk.change { $0.fails = true }
            for _ in 0..<threads {
                Thread {
                    let failure = reason { try journal.append(payload(1)) }
                    if failure == .inputOutput { failures.withLock { $0 += 1 } }
                    disk.change { $0.returned += 1 }
                }.start()
            }
            _ = disk.wait { $0.returned == threads ? true : nil }
            #expect(failures.withLock { $0 } > 0)
            files.clearRule()
            let sequence = try journal.append(Array("afterwards".utf8))
            #expect(try journal.records(after: sequence - 1).map(\.payload) == [Array("afterwards".utf8)])
            #expect(try folder.segmentNames().count > 1)
        }
        try withJournal(folder, options(.groupCommit)) { journal throws in
            #expect(try journal.records().last?.payload == Array("afterwards".utf8))
        }
    }

    @Test("Closing a journal makes waiting records durable, and all completions are called")
    func closing() throws {
        let disk = Monitor(Disk())
        let journal = try Journal.open(folder.path, options: options(.process), files: files)
        try journal.append(payload(0))
        let isClosing = Locked(false)
        disk.change { $0 = Disk() }
        watch(disk)
        let told = Monitor([String]())
        for _ in 0..<50 {
            try journal.append(payload(1)) { error in
                told.change { $0.append(error?.description ?? "durable") }
                // A completion may close the journal, too.
                if isClosing.withLock({ $0 }) { journal.close() }
            }
        }
        isClosing.withLock { $0 = true }
        journal.close()
        #expect(told.wait { $0.count == 50 ? $0 : nil } == Array(repeating: "durable", count: 50))
        #expect(reason { try journal.append([1]) { _ in Issue.record("it was not appended") } } == .closed)
    }

    @Test("A new segment is synced before an append returns, and a new mark before its move")
    func newFiles() throws {
        var options = options(.groupCommit)
        options.segmentBytes = 300
        let log = Locked<[String]>([])
        files.setRule { operation, path in
            guard [.sync, .syncFolder, .move, .write].contains(operation) else { return nil }
            let name = operation == .move ? " " + (path.split(separator: "/").last ?? "") : ""
            log.withLock { $0.append("\(operation)\(name)") }
            return nil
        }
        try withJournal(folder, options, files: files) { journal throws in
            log.withLock { $0 = [] }
            try journal.append(payload(1))
            #expect(
                log.withLock { $0 } == ["move 0000000000000001.tjl", "syncFolder", "write", "sync", "sync"])
            log.withLock { $0 = [] }
            try journal.removeThrough(1)
            #expect(log.withLock { $0 } == ["write", "sync", "move mark", "syncFolder"])
        }
    }
}
