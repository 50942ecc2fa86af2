import TestSupport
import Testing
import TributaryJournal

@testable import Tributary

/// Appends, a reader, and a disk that refuses, returns, vanishes and is exchanged, around the state of a log. A seed chooses
/// everything that happens. The simulation notes each breach of what the log promises.
struct FailoverSimulation {
    static let capacity = 12

    var random: SeededGenerator
    var disk: SimulatedDisk
    var state: FailoverState
    var isRetryScheduled = false
    /// The log is bringing records back to the disk, one at a time.
    var isReturning = false
    /// The disk that is about to replace the present one.
    var next: SimulatedDisk?

    var step = 0
    var sequences: [UInt64: UInt64] = [:]
    /// Records that went: dropped for want of room, given up, lost with a disk, or removed behind the reader.
    var gone: Set<UInt64> = []
    var newestSnapshot: UInt64?
    /// The number of the newest record. Records are appended in the order of their numbers.
    var newest: UInt64 = 0
    /// The reader's place, and what it read.
    var place: UInt64 = 0
    var read: Set<UInt64> = []
    var dropped = 0
    var visited: Set<String> = []
    var breaches: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        disk = SimulatedDisk(seed: seed)
        disk.weakness = 0.05
        state = FailoverState(disk: disk, capacity: Self.capacity)
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps {
            step += 1
            act()
            check()
        }
        settle()
    }

    private mutating func act() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: append()
        case 45..<55: disk.isRefusing.toggle()
        case 55..<68: look()
        case 68..<82: readOn()
        case 82..<87: beginExchange()
        case 87..<90: endExchange()
        case 90..<92: vanish()
        case 92..<94: purge()
        case 94..<96: reserve()
        default: removeRead()
        }
        visited.insert("\(state.route), refusing: \(disk.isRefusing)")
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    // MARK: Appending

    private mutating func newIds(_ count: Int) -> [UInt64] {
        defer { newest += UInt64(count) }
        return (1...UInt64(count)).map { newest + $0 }
    }

    private mutating func newSnapshot() -> UInt64? {
        newestSnapshot = (newestSnapshot ?? 0) + 1
        return newestSnapshot
    }

    private mutating func append() {
        let oldest = inMemory
        let kind = Int.random(in: 0..<10, using: &random)
        let appended: FailoverState.Appended
        var ids: [UInt64] = []
        if kind < 2 {
            ids = newIds(3)
            appended = state.append(Self.group(ids))
        } else if kind < 4 {
            appended = state.append(nil, nil, snapshot: newSnapshot().map(Self.bytes))
        } else {
            ids = newIds(1)
            appended = state.append(Self.bytes(ids[0]), nil, snapshot: kind < 6 ? newSnapshot().map(Self.bytes) : nil)
        }
        dropped += appended.dropped
        gone.formUnion((oldest + ids).prefix(appended.dropped))
        if appended.refusal != nil { schedule() }
    }

    private mutating func schedule() { if state.wantsRetry() { isRetryScheduled = true } }

    // MARK: The disk

    /// The log looks whether the disk takes records again, or goes on with what it found.
    private mutating func look() {
        if isRetryScheduled, !isReturning {
            isRetryScheduled = false
            state.retryBegan()
            isReturning = true
        }
        if isReturning { goOn(atMost: Int.random(in: 1...4, using: &random)) }
    }

    private mutating func goOn(atMost count: Int) {
        for _ in 0..<count {
            switch state.moveOne() {
            case .moved: isReturning = true
            case .failed:
                isReturning = false
                return schedule()
            case .done:
                isReturning = false
                _ = state.recovered()
                return
            }
        }
    }

    /// Another disk takes over what the reader has not removed, with its places, or it refuses that.
    private mutating func beginExchange() {
        guard next == nil else { return }
        state.beginExchange()
        let new = SimulatedDisk(seed: UInt64(step))
        new.isRefusing = chance(0.3)
        do {
            try new.carryOver(disk, without: Removal(through: 0))
            next = new
        } catch {
            state.exchangeFailed(error)
            schedule()
        }
    }

    private mutating func endExchange() {
        guard let new = next else { return }
        next = nil
        use(new)
    }

    private mutating func use(_ new: SimulatedDisk) {
        new.weakness = disk.weakness
        state.adopt(new)
        disk = new
        goOn(atMost: .max)
    }

    /// The files are deleted under the log; a new disk knows the numbering, the snapshot and nothing else.
    private mutating func vanish() {
        guard next == nil else { return }
        state.beginExchange()
        gone.formUnion(disk.records.map { Self.id($0.payload) })
        let new = SimulatedDisk(seed: UInt64(step))
        disk.records = []
        do { try new.carryOver(disk, without: Removal(through: 0)) } catch { Issue.record(error) }
        use(new)
    }

    private mutating func purge() {
        guard next == nil else { return }
        gone.formUnion(contents.map(\.id))
        _ = state.purge()
        disk.purge(markData: nil)
        state.withdrew()
    }

    private mutating func reserve() {
        guard state.memory.isEmpty, next == nil else { return }
        if state.reserve(through: state.end + UInt64.random(in: 1...40, using: &random)) != nil { schedule() }
    }

    // MARK: Reading

    private mutating func readOn() {
        let onDisk = disk.records.filter { $0.sequence > place }.prefix(3)
        if let last = onDisk.last {
            onDisk.forEach { note(Self.id($0.payload)) }
            place = last.sequence
            return
        }
        let found = state.read(after: place, through: .max, maxBytes: .max, maxCount: 3)
        found.records.forEach { note(Self.id($0.payload)) }
        if found.end < place { breaches.append("\(step): the reader goes back") }
        place = found.end
    }

    private mutating func note(_ id: UInt64) {
        if !read.insert(id).inserted { breaches.append("\(step): record \(id) is read twice") }
    }

    private mutating func removeRead() {
        guard next == nil else { return }
        let bound = place
        gone.formUnion(contents.filter { $0.sequence <= bound }.map(\.id))
        state.remove(through: bound)
        disk.records.removeAll { $0.sequence <= bound }
    }

    // MARK: What holds at every step

    private var appended: Set<UInt64> { newest == 0 ? [] : Set(1...newest) }
    private var inMemory: [UInt64] { state.left(after: 0).map { Self.id($0.payload) } }

    /// What is in the log, in its order.
    var contents: [(sequence: UInt64, id: UInt64)] {
        (disk.records + state.left(after: 0)).map { ($0.sequence, Self.id($0.payload)) }
    }

    private mutating func check() {
        let contents = contents
        checkOrder(contents)
        let expected = appended.subtracting(gone)
        if Set(contents.map(\.id)) != expected || contents.count != expected.count {
            breaches.append("\(step): the log has \(contents.map(\.id)), not \(expected.sorted())")
        }
        if state.memory.count > Self.capacity {
            breaches.append("\(step): memory has \(state.memory.count) records")
        }
        let snapshot = state.snapshot.map(Self.id)
        if snapshot != newestSnapshot {
            breaches.append("\(step): the snapshot is \(snapshot ?? 0), not \(newestSnapshot ?? 0)")
        }
        if state.isSpilling, !isRetryScheduled, !isReturning, next == nil {
            breaches.append("\(step): the log does not look at the disk again")
        }
        if let missed = contents.first(where: { $0.sequence <= place && !read.contains($0.id) }) {
            breaches.append("\(step): the reader went past record \(missed.id)")
        }
    }

    private mutating func checkOrder(_ contents: [(sequence: UInt64, id: UInt64)]) {
        var (latest, latestId) = (UInt64(0), UInt64(0))
        for (sequence, id) in contents {
            if sequence <= latest { breaches.append("\(step): sequence \(sequence) comes after \(latest)") }
            if id <= latestId { breaches.append("\(step): record \(id) comes after \(latestId)") }
            if let known = sequences[id], known != sequence {
                breaches.append("\(step): record \(id) had the sequence \(known) and has \(sequence)")
            }
            sequences[id] = sequence
            (latest, latestId) = (sequence, id)
        }
    }

    /// The disk takes everything: all that was neither removed nor given up is there, and is read.
    private mutating func settle() {
        endExchange()
        (disk.isRefusing, disk.weakness) = (false, 0)
        for _ in 0..<1_000 where state.isSpilling || state.failure != nil {
            schedule()
            look()
        }
        check()
        if state.isSpilling { breaches.append("the log does not return to the disk") }
        for _ in 0..<10_000 where place < disk.head.lastSequence { readOn() }
        let missing = appended.subtracting(gone).subtracting(read)
        if !missing.isEmpty { breaches.append("never read: \(missing.sorted())") }
    }

    // MARK: Bytes

    private static func bytes(_ id: UInt64) -> [UInt8] { withUnsafeBytes(of: id.littleEndian) { Array($0) } }
    private static func id(_ bytes: [UInt8]) -> UInt64 {
        bytes.enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * UInt64($1.offset)) }
    }

    private static func group(_ ids: [UInt64]) -> JournalGroup {
        var group = JournalGroup()
        for id in ids {
            do { try group.add(bytes(id)) } catch { Issue.record(error) }
        }
        return group
    }
}
