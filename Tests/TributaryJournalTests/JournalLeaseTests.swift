import Foundation
import Testing

@testable import TributaryJournal

@Suite("A folder that is had for a while")
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

    /// What the lock file says while nobody of this process has it: another process does.
    private func leave(_ bytes: [UInt8]) throws { try folder.write("lock", bytes) }

    private func term(_ seconds: Int64, owner: UInt64 = 2) -> [UInt8] {
        LeaseTerm(renewed: clock.withLock { $0 } + seconds * 1000, owner: owner).encoded
    }

    @Test("it is another's after a minute of silence, not before, whatever the clock did")
    func ends() throws {
        for (seconds, isFree) in [(0, false), (-59, false), (-60, true), (59, false), (60, true)] as [(Int64, Bool)] {
            try leave(term(seconds))
            let reason = reason { try Journal.open(folder.path, options: options()).close() }
            #expect(reason == (isFree ? nil : .inUse), "\(seconds)")
        }
    }

    @Test("the only process of its name takes at once what the one before it had")
    func only() throws {
        try leave(term(0, owner: 1))
        #expect(reason { try Journal.open(folder.path, options: options()).close() } == .inUse)
        try Journal.open(folder.path, options: options(isOnlyProcess: true)).close()
        try leave(term(0, owner: 2))
        #expect(reason { try Journal.open(folder.path, options: options(isOnlyProcess: true)).close() } == .inUse)
    }

    @Test("what another wrote into the file keeps nobody out", arguments: [0, 1, 15, 17, 4000])
    func damaged(size: Int) throws {
        try leave([UInt8](repeating: 0xFF, count: size))
        try Journal.open(folder.path, options: options()).close()
    }

    @Test("extreme times are no moment at which somebody was there", arguments: [Int64.min, .max, -1])
    func extreme(time: Int64) throws {
        try leave(LeaseTerm(renewed: time, owner: 2).encoded)
        try Journal.open(folder.path, options: options()).close()
    }

    @Test("closing gives the folder back at once")
    func closes() throws {
        let journal = try Journal.open(folder.path, options: options())
        #expect(reason { try Journal.open(folder.path, options: options()).close() } == .inUse)
        journal.close()
        try Journal.open(folder.path, options: options()).close()
        #expect(try folder.names().filter { $0.hasPrefix("lock") } == ["lock"])
    }

    @Test("an owner who writes, or looks after the files, keeps it")
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

    @Test("an owner who was away writes nothing into a folder that another has now")
    func away() throws {
        let journal = try Journal.open(folder.path, options: options())
        try journal.append([1])
        let before = try folder.contents()
        pass(61)
        // As another process takes it.
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

    @Test("of many who take a folder whose time is over, one has it", arguments: [true, false])
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
