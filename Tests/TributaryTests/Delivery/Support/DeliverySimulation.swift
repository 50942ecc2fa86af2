import Foundation
import TributaryJournal

@testable import Tributary

/// A device with an outbox and a server, around the state machine of delivery: everything that happens is chosen by a
/// seed, nothing waits. It notes each breach of what delivery promises.
struct DeliverySimulation {
    typealias Answer = DeliveryPolicy.Answer

    var random: SeededGenerator
    var policy = DeliveryPolicy()
    var uptime: TimeInterval = 1000
    var milliseconds: Int64 = 1_795_000_000_000
    var machine: DeliveryMachine
    /// The state that an earlier process stored.
    var stored = RetryState()

    /// Sequences that wait, oldest first.
    var outbox: [UInt64] = []
    var removed: UInt64 = 0
    var last: UInt64 = 0
    let eventBytes: Int

    var inFlight: DeliveryRequest?
    var wakeAt: TimeInterval?
    /// Answers of the server: of what it has got, and what of that it has confirmed.
    var received: [UInt64] = []
    var deadLetters: [UInt64] = []
    var dropped: [UInt64] = []
    /// What made room in the outbox, from its front or its middle, and how often.
    var withdrawn: [UInt64] = []
    /// Whether something is withdrawn just when the next batch is to go out.
    var withdrawsBeforeSending = false
    var requestTimes: [TimeInterval] = []
    var recordsRead = 0
    var breaches: [String] = []

    init(seed: UInt64, eventBytes: Int = 500, policy: DeliveryPolicy = DeliveryPolicy()) {
        random = SeededGenerator(seed: seed)
        self.policy = policy
        self.eventBytes = eventBytes
        let zero: UInt64 = 0
        machine = DeliveryMachine(
            capacity: 475_000, compresses: true, retry: RetryState(),
            at: .init(uptime: 1000, milliseconds: milliseconds, random: 0, start: zero, end: zero))
        take(.settings(host: "https://server.test", policy: policy))
    }

    private var now: DeliveryMachine.Now {
        mutating get {
            .init(
                uptime: uptime, milliseconds: milliseconds, random: Double.random(in: 0..<1, using: &random),
                start: removed, end: last)
        }
    }

    // MARK: What happens

    mutating func append(_ count: Int) {
        for _ in 0..<count {
            last += 1
            outbox.append(last)
        }
        take(.demand)
    }

    /// The outbox makes room: the oldest go, but for those under way. Delivery is not told.
    mutating func withdraw(_ count: Int) {
        let held = min(inFlight?.batch.records.count ?? 0, outbox.count)
        let gone = outbox.dropFirst(held).prefix(count)
        withdrawn += gone
        if held == 0 { removed = gone.last ?? removed }
        outbox.removeSubrange(held..<held + gone.count)
    }

    mutating func take(_ input: DeliveryMachine.Input) {
        var next: DeliveryMachine.Input? = input
        while let input = next {
            next = nil
            for action in machine.handle(input, at: now) {
                if let answer = perform(action) { next = answer }
            }
        }
    }

    /// Time passes up to the next thing that delivery waits for, at the most that many seconds.
    mutating func pass(_ seconds: TimeInterval) {
        let step = min(seconds, wakeAt.map { max(0, $0 - uptime) } ?? seconds)
        uptime += step
        milliseconds += Int64(step * 1000)
        guard let at = wakeAt, uptime >= at else { return }
        wakeAt = nil
        take(.timer)
    }

    /// The server answers the request under way; nil is no answer within the deadline.
    mutating func answer(_ status: Int?, retryAfter: TimeInterval? = nil) {
        guard let request = inFlight else { return }
        inFlight = nil
        if let status, (200..<300).contains(status) { received += request.batch.records.map(\.sequence) }
        if status == nil {
            uptime += request.deadline
            milliseconds += Int64(request.deadline * 1000)
        }
        let answer = Answer(
            status: status, retryAfter: retryAfter, failure: status == nil ? "silence" : nil, isLate: status == nil)
        lastAnswer = (request, status)
        take(.answer(answer, request: request.id))
        // An answer that comes a second time changes nothing.
        take(.answer(Answer(status: 200), request: request.id))
    }

    /// The process dies and another process begins.
    mutating func restart(after seconds: TimeInterval) {
        inFlight = nil
        wakeAt = nil
        uptime = 10 + Double.random(in: 0..<1000, using: &random)
        milliseconds += Int64(seconds * 1000)
        machine = DeliveryMachine(capacity: 475_000, compresses: true, retry: stored, at: now)
        take(.settings(host: "https://server.test", policy: policy))
    }

    // MARK: What delivery does

    private var lastAnswer: (request: DeliveryRequest, status: Int?)?

    private mutating func perform(_ action: DeliveryMachine.Action) -> DeliveryMachine.Input? {
        switch action {
        case .read(let position, let maxBytes, let maxCount):
            let records = outbox.prefix(min(maxCount, max(1, maxBytes / eventBytes))).map {
                JournalRecord(sequence: $0, tag: nil, payload: [UInt8](repeating: 0, count: eventBytes))
            }
            // A read may not begin before the front, because the records there could be as many as a backlog.
            if position < removed || position >= outbox.first ?? .max {
                breaches.append("reads after \(position), removed is \(removed), next \(outbox.first ?? 0)")
            }
            recordsRead += records.count
            return .read(records, end: records.last?.sequence ?? last)
        case .send(let request):
            if withdrawsBeforeSending {
                withdrawsBeforeSending = false
                withdraw(Int.random(in: 1...40, using: &random))
            }
            let gone = Set(machine.window.sequences).subtracting(outbox)
            guard gone.isEmpty else { return .withdrawn(gone, request: request.id) }
            noteSent(request)
        case .confirm(let batch):
            if !(lastAnswer?.status.map((200..<300).contains) ?? false) { breaches.append("confirms without a 2xx") }
            remove(batch, "confirms")
        case .putAside(let batch, _):
            if batch.records.count != 1 { breaches.append("puts several aside at once") }
            deadLetters += batch.records.map(\.sequence)
            remove(batch, "puts aside")
        case .drop(let batch, _):
            dropped += batch.records.map(\.sequence)
            remove(batch, "drops")
        case .wake(let seconds): wakeAt = uptime + seconds
        case .save(let state): stored = RetryState(json: state.json)
        case .finish, .report: break
        }
        return nil
    }

    private mutating func noteSent(_ request: DeliveryRequest) {
        if inFlight != nil { breaches.append("two requests at once") }
        let sequences = request.batch.records.map(\.sequence)
        if sequences != Array(outbox.prefix(sequences.count)) { breaches.append("sends what is not at the front") }
        if request.batch.bytes > 475_000 || sequences.count > 2500 { breaches.append("a batch beyond the limits") }
        inFlight = request
        requestTimes.append(uptime)
    }

    private mutating func remove(_ batch: Batch, _ what: String) {
        let sequences = batch.records.map(\.sequence)
        if lastAnswer?.request.batch.records.map(\.sequence) != sequences {
            breaches.append("\(what) something else than was sent")
        }
        guard Array(outbox.prefix(sequences.count)) == sequences else {
            return breaches.append("\(what) what is not at the front")
        }
        outbox.removeFirst(sequences.count)
        removed = max(removed, sequences.last ?? 0)
    }
}

/// SplitMix64: the same numbers for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
