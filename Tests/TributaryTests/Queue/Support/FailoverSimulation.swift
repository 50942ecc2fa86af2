import Testing
import TributaryJournal

@testable import Tributary

/// Threads that append, a reader, and a disk that refuses, returns, vanishes and is exchanged, around the failover machine.
/// A seed chooses everything that happens. The simulation notes each breach of what the log promises.
struct FailoverSimulation {
    /// A disk as the machine sees it.
    struct Disk {
        var records: [(sequence: UInt64, id: UInt64)] = []
        var last: UInt64 = 0
        var snapshot: UInt64?
        var withdrawals = 0

        mutating func append(_ id: UInt64) {
            last += 1
            records.append((last, id))
        }
    }

    /// A write to the disk that has begun.
    enum Write {
        case record(UInt64, snapshot: UInt64?)
        case group([UInt64])
        case snapshot(UInt64)

        var ids: [UInt64] {
            switch self {
            case .record(let id, _): [id]
            case .group(let ids): ids
            case .snapshot: []
            }
        }

        var snapshot: UInt64? {
            switch self {
            case .record(_, let snapshot): snapshot
            case .group: nil
            case .snapshot(let snapshot): snapshot
            }
        }
    }

    /// When an append began and returned.
    struct Call {
        let began: Int
        var ended: Int?
    }

    static let capacity = 12

    var random: SeededGenerator
    var machine = FailoverMachine(capacity: Self.capacity)
    var disk = Disk()
    var isRefusing = false
    var underWay: [Write] = []
    var isRetryScheduled = false
    /// The log is bringing records back to the disk, one at a time.
    var isReturning = false

    var step = 0
    var calls: [UInt64: Call] = [:]
    var sequences: [UInt64: UInt64] = [:]
    /// Records that went: dropped for want of room, given up, lost with a disk, or removed behind the reader.
    var gone: Set<UInt64> = []
    var newestSnapshot: UInt64?
    var nextId: UInt64 = 0
    /// The reader's place, and what it read.
    var place: UInt64 = 0
    var read: Set<UInt64> = []
    var dropped = 0
    var visited: Set<String> = []
    var breaches: [String] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private struct Refused: Error {}

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
        case 0..<34: begin()
        case 34..<58: end()
        case 58..<66: isRefusing.toggle()
        case 66..<76: look()
        case 76..<88: readOn()
        case 88..<92: exchange()
        case 92..<94: vanish()
        case 94..<96: purge()
        case 96..<98: reserve()
        default: removeRead()
        }
        visited.insert("\(machine.route), under way: \(machine.underWay > 0), refusing: \(isRefusing)")
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    // MARK: Appending

    private mutating func newIds(_ count: Int) -> [UInt64] {
        (0..<count).map { _ in
            nextId += 1
            calls[nextId] = Call(began: step)
            return nextId
        }
    }

    /// Snapshots are changed one after the other, as identity is. While the disk refuses, a change is done at once, although an
    /// older snapshot may still be on its way to the disk.
    private mutating func newSnapshot() -> UInt64? {
        guard machine.isSpilling || underWay.allSatisfy({ $0.snapshot == nil }) else { return nil }
        newestSnapshot = (newestSnapshot ?? 0) + 1
        return newestSnapshot
    }

    private mutating func begin() {
        let oldest = machine.memory.read(after: 0, maxBytes: .max, maxCount: .max).map { Self.id($0.payload) }
        let write: Write
        let taken: Int?
        let kind = Int.random(in: 0..<10, using: &random)
        if kind < 2 {
            write = .group(newIds(3))
            var group = Self.group(write.ids)
            taken = machine.append(&group)
        } else if kind < 4, let snapshot = newSnapshot() {
            write = .snapshot(snapshot)
            taken = machine.append(nil, nil, snapshot: Self.bytes(snapshot))
        } else {
            write = .record(newIds(1)[0], snapshot: kind < 6 ? newSnapshot() : nil)
            taken = machine.append(Self.bytes(write.ids[0]), nil, snapshot: write.snapshot.map(Self.bytes))
        }
        guard let taken else { return underWay.append(write) }
        finish(write.ids)
        drop(taken, oldest + write.ids)
        if machine.route == .returning { move(atMost: 2) }
    }

    /// A write of a random thread ends, whichever began first.
    private mutating func end() {
        guard !underWay.isEmpty else { return }
        end(underWay.remove(at: Int.random(in: 0..<underWay.count, using: &random)))
    }

    private mutating func end(_ write: Write) {
        let oldest = machine.memory.read(after: 0, maxBytes: .max, maxCount: .max).map { Self.id($0.payload) }
        defer { finish(write.ids) }
        guard isRefusing || chance(0.1) else {
            write.ids.forEach { disk.append($0) }
            if let snapshot = write.snapshot { disk.snapshot = snapshot }
            _ = machine.appended(max(1, write.ids.count))
            return
        }
        let refusal: FailoverMachine.Refusal
        var kept = write.ids
        switch write {
        case .record(let id, let snapshot):
            refusal = machine.refused(
                Refused(), last: disk.last, Self.bytes(id), nil, snapshot: snapshot.map(Self.bytes))
        case .snapshot(let snapshot):
            refusal = machine.refused(Refused(), last: disk.last, nil, nil, snapshot: Self.bytes(snapshot))
        case .group(let ids):
            // The disk took some of them before it refused.
            let taken = Int.random(in: 0..<ids.count, using: &random)
            ids.prefix(taken).forEach { disk.append($0) }
            kept = Array(ids.dropFirst(taken))
            var group = Self.group(kept)
            refusal = machine.refused(Refused(), last: disk.last, &group, count: ids.count)
        }
        drop(refusal.dropped, oldest + kept)
        if machine.wantsRetry() { isRetryScheduled = true }
    }

    private mutating func finish(_ ids: [UInt64]) { for id in ids { calls[id]?.ended = step } }

    private mutating func drop(_ count: Int, _ waiting: [UInt64]) {
        dropped += count
        gone.formUnion(waiting.prefix(count))
    }

    // MARK: The disk

    /// The log looks whether the disk takes records again, or goes on with what it found.
    private mutating func look() {
        if isRetryScheduled, !isReturning {
            isRetryScheduled = false
            machine.retryBegan()
            isReturning = true
        }
        if isReturning { goOn(atMost: Int.random(in: 1...4, using: &random)) }
    }

    private mutating func goOn(atMost count: Int) {
        switch move(atMost: count) {
        case .moved: isReturning = true
        case .failed:
            isReturning = false
            if machine.wantsRetry() { isRetryScheduled = true }
        case .done:
            isReturning = false
            _ = machine.recovered()
        }
    }

    @discardableResult
    private mutating func move(atMost count: Int) -> FailoverLog.State.Move {
        var moved = 0
        while moved < count {
            let next = machine.nextStep(last: disk.last)
            guard next != .none else { return .done }
            guard next != .blocked else { return .failed }
            guard !isRefusing, !chance(0.05) else {
                machine.refusedStep(Refused())
                return .failed
            }
            switch next {
            case .reserve(let sequence): disk.last = max(disk.last, sequence)
            case .snapshot(let snapshot): disk.snapshot = Self.id(snapshot)
            case .record(let record):
                disk.append(Self.id(record.payload))
                moved += 1
            case .none, .blocked: break
            }
            machine.took(next)
        }
        return .moved
    }

    private mutating func exchange() {
        let isIdle = machine.beginExchange(last: disk.last)
        while !underWay.isEmpty { end() }
        if !isIdle, machine.underWay != 0 { breaches.append("\(step): writes are under way after the last one ended") }
        for _ in 0..<Int.random(in: 0..<4, using: &random) { begin() }
        guard chance(0.7) else {
            machine.exchangeFailed(Refused())
            if machine.wantsRetry() { isRetryScheduled = true }
            return
        }
        // Another disk takes over what the reader has not removed, with its places.
        machine.exchanged(withdrawals: disk.withdrawals)
        disk.withdrawals = 0
        goOn(atMost: .max)
    }

    /// The files are deleted under the log; a new disk knows the numbering, the snapshot and nothing else.
    private mutating func vanish() {
        _ = machine.beginExchange(last: disk.last)
        while !underWay.isEmpty { end() }
        gone.formUnion(disk.records.map(\.id))
        disk.records = []
        machine.exchanged(withdrawals: 1)
        goOn(atMost: .max)
    }

    private mutating func purge() {
        gone.formUnion(contents.map(\.id))
        machine.remove(through: .max)
        disk.records = []
        machine.withdrew()
    }

    private mutating func reserve() {
        let sequence = disk.last + UInt64.random(in: 1...40, using: &random)
        guard machine.memory.isEmpty, underWay.isEmpty else { return }
        guard isRefusing else {
            disk.last = sequence
            return machine.reserved(through: sequence)
        }
        _ = machine.refusedReservation(Refused(), last: disk.last, through: sequence)
        if machine.wantsRetry() { isRetryScheduled = true }
    }

    // MARK: Reading

    private mutating func readOn() {
        let onDisk = disk.records.filter { $0.sequence > place }.prefix(3)
        if let last = onDisk.last {
            onDisk.forEach { note($0.id) }
            place = last.sequence
            return
        }
        guard let found = machine.read(after: place, through: .max, last: disk.last, maxBytes: .max, maxCount: 3)
        else { return }
        found.records.forEach { note(Self.id($0.payload)) }
        if found.end < place { breaches.append("\(step): the reader goes back") }
        place = found.end
    }

    private mutating func note(_ id: UInt64) {
        if !read.insert(id).inserted { breaches.append("\(step): record \(id) is read twice") }
    }

    private mutating func removeRead() {
        let bound = place
        gone.formUnion(contents.filter { $0.sequence <= bound }.map(\.id))
        machine.remove(through: bound)
        disk.records.removeAll { $0.sequence <= bound }
    }

    // MARK: What holds at every step

    /// What is in the log, in its order.
    var contents: [(sequence: UInt64, id: UInt64)] {
        disk.records
            + machine.memory.read(after: 0, maxBytes: .max, maxCount: .max).map { ($0.sequence, Self.id($0.payload)) }
    }

    private mutating func check() {
        let contents = contents
        checkOrder(contents)
        let begun = underWay.flatMap(\.ids)
        let expected = Set(calls.keys).subtracting(gone).subtracting(begun)
        if Set(contents.map(\.id)) != expected || contents.count != expected.count {
            breaches.append("\(step): the log has \(contents.map(\.id)), not \(expected.sorted())")
        }
        if machine.memory.count > Self.capacity {
            breaches.append("\(step): memory has \(machine.memory.count) records")
        }
        if machine.underWay != underWay.reduce(0, { $0 + max(1, $1.ids.count) }) {
            breaches.append("\(step): \(machine.underWay) writes are under way, not \(underWay.count)")
        }
        let snapshot = machine.owedSnapshot.map(Self.id) ?? disk.snapshot
        if underWay.allSatisfy({ $0.snapshot == nil }), snapshot != newestSnapshot {
            breaches.append("\(step): the snapshot is \(snapshot ?? 0), not \(newestSnapshot ?? 0)")
        }
        if machine.isSpilling, !isRetryScheduled, !isReturning {
            breaches.append("\(step): nobody looks at the disk again")
        }
        if let missed = contents.first(where: { $0.sequence <= place && !read.contains($0.id) }) {
            breaches.append("\(step): the reader went past record \(missed.id)")
        }
    }

    private mutating func checkOrder(_ contents: [(sequence: UInt64, id: UInt64)]) {
        var (newest, latestBegin) = (UInt64(0), 0)
        for (sequence, id) in contents {
            if sequence <= newest { breaches.append("\(step): sequence \(sequence) comes after \(newest)") }
            if let known = sequences[id], known != sequence {
                breaches.append("\(step): record \(id) had the sequence \(known) and has \(sequence)")
            }
            sequences[id] = sequence
            newest = sequence
            guard let call = calls[id] else { continue }
            if let ended = call.ended, ended < latestBegin {
                breaches.append("\(step): record \(id) comes after one that was appended later")
            }
            latestBegin = max(latestBegin, call.began)
        }
    }

    /// The disk takes everything: all that was neither removed nor given up is there, and is read.
    private mutating func settle() {
        isRefusing = false
        while !underWay.isEmpty { end() }
        for _ in 0..<1_000 where machine.isSpilling || machine.failure != nil {
            look()
            if !isRetryScheduled, machine.wantsRetry() { isRetryScheduled = true }
        }
        check()
        if machine.isSpilling { breaches.append("the log does not return to the disk") }
        for _ in 0..<10_000 where place < disk.last { readOn() }
        let missing = Set(calls.keys).subtracting(gone).subtracting(read)
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
