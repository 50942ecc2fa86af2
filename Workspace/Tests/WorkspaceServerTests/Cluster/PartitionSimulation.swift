@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

/// Processes that share a partition, with a log, a record and a store, in simulated time. A seed decides each run.
///
/// Processes are killed, and stopped for longer than the time of a takeover. Their earlier requests still arrive at some
/// later time. Answers to completed requests are late or lost.
struct PartitionSimulation {
    /// A mistake that the simulation has to find.
    enum Fault: CaseIterable { case noAnnouncement, fewKnownBlocks, placeBeforeStore }

    /// A block as the store recognises it: the same records with the same numbers and times.
    struct Block: Hashable {
        let epoch: UInt64
        let from: UInt64
        let to: UInt64
        let storedAt: Int64
        let next: Int64
    }

    private struct Worker {
        var machine: PartitionMachine
        var stoppedUntil: Int64 = 0
        /// The answers that came while the process was stopped.
        var waiting: [PartitionMachine.Input] = []
        /// The number of the work that is being prepared or stored.
        var work: Int?
    }

    private enum Effect {
        case answer(PartitionMachine.Input)
        case perform(PartitionMachine.Action)
        /// A tick of the work with that number.
        case tick(work: Int)
    }

    private struct Happening {
        let at: Int64
        let worker: Int
        let effect: Effect
        var work: Int?
    }

    private static let pulse: Int64 = 1_000
    private var random: SeededNumbers
    private let fault: Fault?
    private var now: Int64 = 0
    private var happenings: [Happening] = []
    private var workers: [Int: Worker] = [:]
    private var nextWorker = 0
    private var nextWork = 0
    private(set) var last: UInt64 = 0
    private var incarnation = "first"
    private(set) var record: (place: PartitionLease, revision: UInt64)?
    private var revision: UInt64 = 0
    /// The records in the store, in the order of storing.
    private(set) var stored: [UInt64] = []
    private(set) var blocks: [Block] = []
    private var known: [Block] = []
    private(set) var takeovers = 0
    private(set) var repeatedBlocks = 0
    private(set) var releases = 0
    private(set) var alarms: [PartitionMachine.LogAlarm] = []
    /// The violations of the rules.
    private(set) var violations: [String] = []
    private var isCalm = false

    init(seed: UInt64, fault: Fault? = nil) {
        random = SeededNumbers(seed: seed)
        self.fault = fault
        for _ in 0..<3 { startWorker() }
    }

    /// Injects all faults for a while, and then lets the processes finish.
    mutating func run(milliseconds: Int64 = 180_000) {
        while now < milliseconds { step() }
        isCalm = true
        for index in workers.keys { workers[index]?.stoppedUntil = 0 }
        let end = now + 120_000
        while now < end, record?.place.through != last || record?.place.announced != nil { step() }
        if record?.place.through != last { violations.append("it does not come to an end") }
    }

    /// The log is replaced by an empty one.
    mutating func loseLog() {
        (incarnation, last) = ("second", 0)
    }

    mutating func append(_ count: UInt64) { last += count }

    // MARK: Time

    private mutating func step() {
        now += 50
        if !isCalm {
            if chance(0.1) { last += UInt64.random(in: 1...5, using: &random) }
            if chance(0.002) { killWorker() }
            if chance(0.002), let index = someWorker() {
                workers[index]?.stoppedUntil = now + Int64.random(in: 1_000...15_000, using: &random)
            }
        }
        let due = happenings.filter { $0.at <= now }
        happenings.removeAll { $0.at <= now }
        for happening in due.sorted(by: { $0.at < $1.at }) { happen(happening) }
        for index in workers.keys.sorted() { wake(index) }
    }

    private mutating func startWorker() {
        nextWorker += 1
        let machine = PartitionMachine(owner: "worker-\(nextWorker)", now: now)
        workers[nextWorker] = Worker(machine: machine)
        for action in machine.first { schedule(action, of: nextWorker) }
    }

    private mutating func killWorker() {
        guard let index = someWorker() else { return }
        // A process that ends in peace lets the partition go.
        if chance(0.5), case .set(let released, let revision)? = workers[index]?.machine.release {
            if case .set = set(released, revision) { releases += 1 }
        }
        workers[index] = nil
        startWorker()
    }

    private mutating func someWorker() -> Int? { workers.keys.sorted().randomElement(using: &random) }

    private mutating func wake(_ index: Int) {
        guard let worker = workers[index], worker.stoppedUntil <= now, !worker.waiting.isEmpty else { return }
        workers[index]?.waiting = []
        for input in worker.waiting { give(input, to: index) }
    }

    private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    // MARK: Processes

    private mutating func give(_ input: PartitionMachine.Input, to index: Int) {
        guard var worker = workers[index] else { return }
        guard worker.stoppedUntil <= now else {
            workers[index]?.waiting.append(input)
            return
        }
        let actions = worker.machine.handle(input, now: now, wallTime: now + Int64(index * 700 % 2_100) - 1_000)
        workers[index]?.machine = worker.machine
        for action in actions { schedule(action, of: index) }
    }

    private mutating func schedule(_ action: PartitionMachine.Action, of index: Int) {
        switch action {
        case .abandon: workers[index]?.work = nil
        case .alarm(let alarm): alarms.append(alarm)
        case .wait(let milliseconds):
            happenings.append(Happening(at: now + max(milliseconds, 1), worker: index, effect: .answer(.tick)))
        case .takeTurn, .prepare, .read, .store:
            nextWork += 1
            workers[index]?.work = nextWork
            // The stop is often longer than the time of a takeover.
            let delay = Int64.random(in: 10...(chance(0.1) && !isCalm ? 9_000 : 300), using: &random)
            happenings.append(
                Happening(at: now + delay, worker: index, effect: .perform(action), work: nextWork))
            happenings.append(Happening(at: now + Self.pulse, worker: index, effect: .tick(work: nextWork)))
        case .find, .set, .stand, .look:
            let delay = Int64.random(in: 1...(chance(0.02) && !isCalm ? 6_000 : 60), using: &random)
            happenings.append(Happening(at: now + delay, worker: index, effect: .perform(action)))
        }
    }

    private mutating func happen(_ happening: Happening) {
        switch happening.effect {
        case .answer(let input): give(input, to: happening.worker)
        case .tick(let work):
            guard workers[happening.worker]?.work == work else { return }
            happenings.append(Happening(at: now + Self.pulse, worker: happening.worker, effect: .tick(work: work)))
            give(.tick, to: happening.worker)
        case .perform(let action):
            let isLost = !isCalm && chance(0.03)
            let isDone = !isLost || chance(0.5)
            let answer = isDone ? perform(action) : .failed
            if let work = happening.work {
                // A process asks the store until it answers, so an answer is late and not lost. Abandoned work has no answer.
                guard workers[happening.worker]?.work == work else { return }
                if isLost {
                    happenings.append(
                        Happening(at: now + 500, worker: happening.worker, effect: .perform(action), work: work))
                    return
                }
                workers[happening.worker]?.work = nil
                give(answer, to: happening.worker)
            } else {
                give(isLost ? .failed : answer, to: happening.worker)
            }
        }
    }

    // MARK: The log, the record and the store

    private mutating func perform(_ action: PartitionMachine.Action) -> PartitionMachine.Input {
        switch action {
        case .find: return .found(record?.place, revision: record?.revision ?? 0)
        case .stand, .look:
            // A server that was cut off may say what was long ago.
            let isOld = !isCalm && chance(0.2)
            return .standing(LogRange(incarnation: incarnation, first: 1, last: isOld ? last / 2 : last))
        case .read(let from):
            guard from <= last + 1 else { return .misfits }
            let through = from > last ? nil : min(last, from + UInt64.random(in: 0..<20, using: &random))
            return .read(through: through, rows: Int.random(in: 1...200, using: &random))
        case .takeTurn: return .turn
        case .prepare(let place): return .prepared(place)
        case .store(let from, let range):
            guard range.to <= last else { return .misfits }
            store(
                Block(
                    epoch: record?.place.epoch ?? 0, from: from, to: range.to, storedAt: range.storedAt,
                    next: range.next))
            return .stored(range)
        case .set(let place, let expected): return set(place, expected)
        case .abandon, .alarm, .wait: return .failed
        }
    }

    private mutating func set(_ place: PartitionLease, _ expected: UInt64) -> PartitionMachine.Input {
        guard record?.revision ?? 0 == expected else { return .refused }
        var place = place
        if let range = place.announced, record?.place.announced == nil {
            switch fault {
            case .noAnnouncement: return .set(revision: expected)
            case .placeBeforeStore: (place.through, place.announced) = (range.to, nil)
            case .fewKnownBlocks, nil: break
            }
        }
        if let before = record?.place {
            if before.owner != place.owner { takeovers += 1 }
            if before.epoch == place.epoch, place.through < before.through {
                violations.append("the place goes back from \(before.through) to \(place.through)")
            }
            if place.next < before.next { violations.append("the time goes back from \(before.next) to \(place.next)") }
        }
        if place.through > 0, stored.max() ?? 0 < place.through {
            violations.append("the place \(place.through) is in front of the store")
        }
        revision += 1
        record = (place, revision)
        return .set(revision: revision)
    }

    private mutating func store(_ block: Block) {
        guard !known.contains(block) else {
            repeatedBlocks += 1
            return
        }
        if block.storedAt < blocks.last?.next ?? 0 {
            violations.append("a block of the time \(block.storedAt) comes behind one until \(blocks.last?.next ?? 0)")
        }
        known.append(block)
        if known.count > (fault == .fewKnownBlocks ? 1 : 10_000) { known.removeFirst() }
        blocks.append(block)
        stored += block.from...block.to
    }
}
