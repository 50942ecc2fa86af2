import Foundation
import Testing

@testable import TributaryJournal

@Suite("The lease of a journal's folder")
struct JournalLeaseTests {
    let folder: TemporaryFolder
    private let clock = Locked<Int64>(1_795_000_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func options(owner: UInt64 = 1, isOnlyProcess: Bool = false) -> JournalOptions {
        var options = JournalOptions.small()
        options.ownership = .lease(.init(owner: owner, isOnlyProcess: isOnlyProcess))
        options.now = { [clock] in clock.withLock { $0 } }
        return options
    }

    private func pass(_ seconds: Int64) { clock.withLock { $0 += seconds * 1000 } }

    /// Writes the lock file as another process leaves it.
    private func leave(_ bytes: [UInt8]) throws { try folder.write("lock", bytes) }

    private func term(_ seconds: Int64, owner: UInt64 = 2) -> [UInt8] {
        LeaseTerm(renewed: clock.withLock { $0 } + seconds * 1000, owner: owner).encoded
    }

    @Test("A lease ends after a minute without renewal, whatever the clock does")
    func ends() throws {
        for (seconds, isFree) in [(0, false), (-59, false), (-60, true), (59, false), (60, true)] as [(Int64, Bool)] {
            try leave(term(seconds))
            let reason = reason { try Journal.open(folder.path, options: options()).close() }
            #expect(reason == (isFree ? nil : .inUse), "\(seconds)")
        }
    }

    @Test("The only process of its name takes the lease of the process before it at once")
    func only() throws {
        try leave(term(0, owner: 1))
        #expect(reason { try Journal.open(folder.path, options: options()).close() } == .inUse)
        try Journal.open(folder.path, options: options(isOnlyProcess: true)).close()
        try leave(term(0, owner: 2))
        #expect(reason { try Journal.open(folder.path, options: options(isOnlyProcess: true)).close() } == .inUse)
    }

    @Test("Foreign content in the lock file keeps no process out", arguments: [0, 1, 15, 17, 4000])
    func damaged(size: Int) throws {
        try leave([UInt8](repeating: 0xFF, count: size))
        try Journal.open(folder.path, options: options()).close()
    }

    @Test("Extreme times in the lock file count as no lease", arguments: [Int64.min, .max, -1])
    func extreme(time: Int64) throws {
        try leave(LeaseTerm(renewed: time, owner: 2).encoded)
        try Journal.open(folder.path, options: options()).close()
    }

    @Test("Closing releases the lease at once")
    func closes() throws {
        let journal = try Journal.open(folder.path, options: options())
        #expect(reason { try Journal.open(folder.path, options: options()).close() } == .inUse)
        journal.close()
        try Journal.open(folder.path, options: options()).close()
        #expect(try folder.names().filter { $0.hasPrefix("lock") } == ["lock"])
    }

    @Test("An owner that writes or checks its files keeps the lease")
    func renews() throws {
        let journal = try Journal.open(folder.path, options: options())
        for number in 1...10 as ClosedRange<UInt64> {
            pass(25)
            if number % 2 == 0 { try journal.append(payload(number)) } else { try journal.verify() }
            let left = LeaseTerm(try folder.read("lock"))
            #expect(left == LeaseTerm(renewed: clock.withLock { $0 }, owner: 1))
        }
        journal.close()
    }

    @Test("An owner that lost its lease writes nothing into the folder")
    func away() throws {
        let journal = try Journal.open(folder.path, options: options())
        try journal.append([1])
        let before = try folder.contents()
        pass(61)
        // Another process takes the lease.
        try FileManager.default.removeItem(atPath: folder.path + "/lock")
        try leave(term(0))
        #expect(reason { try journal.append([2]) } == .detached)
        var group = JournalGroup()
        try group.add([3])
        #expect(reason { try journal.append(&group) } == .detached)
        #expect(reason { try journal.verify() } == .detached)
        var after = try folder.contents()
        after["lock"] = before["lock"]
        #expect(after == before)
        journal.close()
        #expect(LeaseTerm(try folder.read("lock")).owner == 2)
    }

    @Test("Of many processes that take an expired lease, exactly one has it", arguments: [true, false])
    func race(isThere: Bool) throws {
        if isThere { try leave(term(-3600)) }
        let opened = Locked([Journal]())
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            if let journal = try? Journal.open(folder.path, options: options()) {
                opened.withLock { $0.append(journal) }
            }
        }
        #expect(opened.withLock { $0.count } == 1)
    }
}
