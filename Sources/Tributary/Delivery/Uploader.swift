import Dispatch
import Foundation
import TributaryJSON
import TributaryJournal

/// Carries out what `DeliveryMachine` decides: it reads the outbox, sends, waits and stores. Each event queue has one.
final class Uploader: Sendable {
    struct Options {
        let writeKey: String
        /// Whether bodies are compressed, for servers that accept that.
        let compresses: Bool
        let time: any TimeSource
        let identifiers: Identifiers
    }

    /// A class, because the compiler would otherwise make 6 KB of code that copies it.
    private final class Work {
        var machine: DeliveryMachine
        /// The outbox's count of withdrawals at the last check of the window.
        var withdrawals: Int
        var timer: (any ScheduledWork)?
        var stateCannotBeKept = false
        /// The error of the last request; nil after a success.
        var refusal: AnalyticsError?

        init(_ machine: DeliveryMachine, withdrawals: Int) {
            self.machine = machine
            self.withdrawals = withdrawals
        }
    }

    let queue = DispatchQueue(label: "tributary.delivery", qos: .utility)
    private let outbox: FailoverLog
    private let deadLetters: DeadLetterLog
    private let writeKey: String
    private let authorization: String
    private let transport: any Transport
    private let time: any TimeSource
    private let identifiers: Identifiers
    private let counterStore: CounterStore
    private let report: @Sendable (Diagnostic) -> Void
    private let stateFile: RetryStateFile?
    private let conditions: DeliveryConditions

    private let work: QueueBound<Work>
    private let waiterIds = LockBox(0)
    private let confirmationHandler = LockBox<@Sendable ([UInt8]) -> Void>({ _ in })
    private let emptyHandler = LockBox<@Sendable () -> Void>({})
    private let shared: LockBox<DeliveryState>
    /// The observation of the conditions.
    private let observation = LockBox<Observation?>(nil)

    /// - Parameter stateFile: the file with the retry state for the next launch; nil keeps the state in memory.
    init(
        outbox: FailoverLog, deadLetters: DeadLetterLog, options: Options, transport: any Transport,
        conditions: DeliveryConditions, stateFile: RetryStateFile?, counterStore: CounterStore,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.outbox = outbox
        self.deadLetters = deadLetters
        writeKey = options.writeKey
        authorization = "Basic " + Data("\(options.writeKey):".utf8).base64EncodedString()
        self.transport = transport
        time = options.time
        identifiers = options.identifiers
        self.counterStore = counterStore
        self.report = report
        self.stateFile = stateFile
        self.conditions = conditions
        var machine = DeliveryMachine(
            capacity: Limits.batchBytes - Batch.envelopeBytes(writeKey: options.writeKey),
            compresses: options.compresses,
            retry: stateFile?.load() ?? RetryState(),
            at: Self.now(options.time, outbox, random: options.identifiers.random()))
        shared = LockBox(DeliveryState(activity: .waiting, obstacle: machine.rest))
        machine.obstacle = conditions.obstacle
        work = QueueBound(Work(machine, withdrawals: outbox.withdrawals), to: queue)
        outbox.handle { $0.readable = { [weak self] in self?.demand() } }
        let observation = conditions.observe { [weak self] in
            guard let self else { return }
            queue.async { self.take(.conditions(self.conditions.obstacle)) }
        }
        self.observation.withLock { $0 = observation }
    }

    deinit { observation.current?.cancel() }

    // MARK: Calls

    /// Applies settings. The first settings begin delivery of the events that an earlier process left.
    func apply(_ endpoint: Endpoint?, _ policy: DeliveryPolicy) {
        queue.async { self.take(.settings(host: endpoint?.base, policy: policy)) }
    }

    /// Calls the handler with the server's answer to each batch that it took, on any thread.
    func whenConfirmed(_ handler: @escaping @Sendable ([UInt8]) -> Void) {
        confirmationHandler.withLock { $0 = handler }
    }

    /// Calls the handler when the outbox has become empty, on the queue of this uploader.
    func whenEmptied(_ handler: @escaping @Sendable () -> Void) { emptyHandler.withLock { $0 = handler } }

    /// Sends the events that are in the outbox now.
    func demand() { queue.async { self.take(.demand) } }

    /// Ends delivery. It does not wait for an answer: the batch of a request under way is sent again at the next start.
    func stop(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            take(.stop)
            work.timer?.cancel()
            completion()
        }
    }

    /// Sends everything up to now. For a patient caller, failures are tried again until `cancelFlush`.
    /// - Parameter isOfApp: whether the app flushes. That may end a pause early.
    /// - Returns: a number for `cancelFlush`.
    func flush(
        isPatient: Bool, isOfApp: Bool = false, completion: @escaping @Sendable (FlushResult) -> Void
    ) -> Int {
        let id = waiterIds.withLock { id in
            id += 1
            return id
        }
        let waiter = FlushWaiter(
            id: id, end: outbox.end, isPatient: isPatient, isOfApp: isOfApp, completion: completion)
        queue.async { self.take(.flush(waiter)) }
        return id
    }

    /// Ends the wait of a patient caller when its time is over.
    func cancelFlush(_ id: Int) { queue.async { self.take(.cancelFlush(id)) } }

    /// The state of delivery, without the events in the inbox.
    var state: DeliveryState {
        var state = shared.withLock { $0 }
        state.waiting = outbox.untaken()
        state.deadLetters = deadLetters.count
        return state
    }

    // MARK: The copy for the system

    /// Makes a request with the oldest waiting events, which the system sends while this process does not run. There is
    /// none when nothing waits, or when something else than a failing network holds up the events: a pause that the
    /// server asked for, or a condition of the app.
    func copy(_ completion: @escaping @Sendable (TransportRequest?) -> Void) {
        queue.async { [self] in completion(copyOfOldest()) }
    }

    private func copyOfOldest() -> TransportRequest? {
        guard isNetworkToBlame, let host = work.machine.host else { return nil }
        let start = max(work.machine.confirmed, outbox.start)
        let (records, _) = outbox.read(
            after: start, through: outbox.end, maxBytes: work.machine.capacity, maxCount: Limits.batchEvents)
        var window = DeliveryWindow()
        window.fill(records)
        guard let batch = window.batch(maxBytes: work.machine.capacity, maxCount: Limits.batchEvents) else {
            return nil
        }
        return message(
            DeliveryRequest(
                id: 0, batch: batch, host: host, isCompressed: false, retryCount: work.machine.retry.failures,
                deadline: Limits.copyDeadline))
    }

    /// Whether the last request failed before a server answered it, or the system says that there is no network.
    private var isNetworkToBlame: Bool {
        if let obstacle = work.machine.obstacle { return obstacle.retryAfter != nil }
        switch (work.machine.phase, work.refusal) {
        case (.waiting, _), (.stopped, _): return false
        case (_, .networkUnknown): return true
        default: return false
        }
    }

    // MARK: Effects

    private func take(_ input: DeliveryMachine.Input) {
        var next: DeliveryMachine.Input? = input
        var now = Self.now(time, outbox, random: identifiers.random())
        while let input = next {
            next = nil
            let actions = work.machine.handle(input, at: now)
            // Published before diagnostics are sent. A caller that reacts to a diagnostic then finds the state that the
            // diagnostic describes, and a test that advances its clock then also advances the timer.
            publish()
            for action in actions.filter({ !$0.tells }) + actions.filter(\.tells) {
                switch action {
                case .read(let position, let maxBytes, let maxCount):
                    // These values are from before the reading, so records that arrive meanwhile do not count as
                    // unreadable.
                    now = Self.now(time, outbox, random: identifiers.random())
                    // From now on the limits of storage cannot drop what delivery reads, even in a busy app. Records
                    // that arrive later may be dropped, so the disk stays bounded.
                    outbox.hold(through: now.end)
                    let (records, end) = outbox.read(
                        after: position, through: now.end, maxBytes: maxBytes, maxCount: maxCount)
                    next = .read(records, end: end)
                case .send(let request):
                    next = send(request)
                default: perform(action)
                }
            }
        }
        // Wait until confirmed events are removed from the outbox. Before that they could be dropped and count as lost.
        if case .sending = work.machine.phase { return }
        outbox.hold(through: nil)
    }

    private static func now(
        _ time: any TimeSource, _ outbox: FailoverLog, random: Double
    ) -> DeliveryMachine.Now {
        .init(
            uptime: time.uptime, milliseconds: time.milliseconds, random: random, start: outbox.start, end: outbox.end)
    }

    private func perform(_ action: DeliveryMachine.Action) {
        switch action {
        case .read, .send: break
        case .confirm(let batch):
            remove(batch)
            counterStore.count { $0.uploaded += batch.records.count }
        case .putAside(let batch, let reason): putAside(batch, reason)
        case .drop(let batch, let reason):
            counterStore.count {
                $0.lost[Diagnostic.Reason.droppedBySettings.description, default: 0] += batch.records.count
            }
            giveUp(batch, .droppedBySettings, "events were given up: \(reason)")
        case .wake(let seconds):
            work.timer?.cancel()
            work.timer = time.schedule(after: seconds, on: queue) { [weak self] in self?.take(.timer) }
        case .finish(let waiter, let isSent, let reason):
            let remaining = outbox.untaken()
            waiter.completion(isSent || remaining == 0 ? .sent : .partly(remaining: remaining, reason: reason))
        case .save(let state): save(state)
        case .report(let reason, let message, let count):
            let waiting = reason == .paused ? ", \(outbox.untaken()) events wait" : ""
            let diagnostic = Diagnostic(
                .delivery, message + waiting, reason: reason, destination: ServerDestination.key, count: count)
            report(reason == .paused ? diagnostic.caused(by: work.refusal) : diagnostic)
        }
    }

    /// - Returns: the next input when nothing was sent.
    private func send(_ request: DeliveryRequest) -> DeliveryMachine.Input? {
        // From here on nothing can drop the records of the batch. Before that, since they were read, some may have been
        // dropped.
        outbox.hold(through: request.batch.end)
        let withdrawn = withdrawn()
        guard withdrawn.isEmpty else { return .withdrawn(withdrawn, request: request.id) }
        begin(request)
        return nil
    }

    /// The sequences that were read and have left the outbox since, without the confirmed ones.
    private func withdrawn() -> Set<UInt64> {
        let count = outbox.withdrawals
        guard count != work.withdrawals else { return [] }
        work.withdrawals = count
        return Set(work.machine.window.sequences.filter { !outbox.contains($0) })
    }

    private func begin(_ request: DeliveryRequest) {
        guard let message = message(request) else {
            return answer(.init(failure: "the API host is not an address"), request)
        }
        transport.send(message) { [weak self] result in
            guard let self else { return }
            if case .success(let response) = result, (200..<300).contains(response.status) {
                confirmationHandler.current(response.body)
            }
            let now = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
            answer(.init(result, now: now), request)
        }
    }

    /// The request in the protocol's form; nil when the host is not an address.
    private func message(_ request: DeliveryRequest) -> TransportRequest? {
        guard let url = Endpoint(request.host)?.url("b") else { return nil }
        let sentAt = ISO8601.string(milliseconds: time.milliseconds)
        var body = request.batch.body(writeKey: writeKey, sentAt: sentAt)
        var headers = [
            "Content-Type": "application/json; charset=utf-8",
            "Authorization": authorization,
            "User-Agent": "tributary/\(LibraryVersion.current)",
            "X-Sent-At": sentAt,
            "X-Retry-Count": "\(request.retryCount)",
        ]
        if request.isCompressed, let compressed = Gzip.compress(body) {
            body = compressed
            headers["Content-Encoding"] = "gzip"
        }
        return TransportRequest(
            method: "POST", url: url, headers: headers, body: body, deadline: request.deadline,
            answerLimit: .beginning(Limits.batchAnswerBytes))
    }

    private func answer(_ answer: DeliveryPolicy.Answer, _ request: DeliveryRequest) {
        let url = Endpoint(request.host)?.url("b")
        var answer = answer
        answer.words = url.map { AnswerWords.text(answer, url: $0) } ?? ""
        queue.async { [self, answer] in
            if let status = answer.status {
                work.refusal = .of(status, at: url)
            } else {
                work.refusal = .networkUnknown(
                    url, TransportError(answer.failure ?? "no answer", isTimeout: answer.isLate))
            }
            take(.answer(answer, request: request.id))
        }
    }

    private func remove(_ batch: Batch) {
        outbox.remove(through: batch.end, mark: batch.tag?.bytes)
        guard outbox.untaken() == 0 else { return }
        emptyHandler.current()
    }

    /// Moves a refused event to the dead letters, with the reason. The other events go on.
    private func putAside(_ batch: Batch, _ reason: String) {
        for record in batch.records {
            let letter = DeadLetter(payload: record.payload, reason: reason, milliseconds: time.milliseconds)
            do {
                try deadLetters.append(letter.json.encoded())
            } catch {
                report(Diagnostic(.storage, "a refused event cannot be put aside: \(error)"))
            }
        }
        counterStore.count { $0.deadLettered += batch.records.count }
        giveUp(batch, .deadLettered, "the server refused an event for good, it was put aside: \(reason)")
    }

    private func giveUp(_ batch: Batch, _ reason: Diagnostic.Reason, _ text: String) {
        report(
            Diagnostic(
                .eventDropped, text, reason: reason, destination: ServerDestination.key, count: batch.records.count
            ).caused(by: work.refusal))
        remove(batch)
    }

    /// Stores the retry state. Without the file, the next launch begins as if nothing had failed; a diagnostic says so
    /// once.
    private func save(_ state: RetryState) {
        guard let stateFile else { return }
        do {
            try stateFile.store(state)
            work.stateCannotBeKept = false
        } catch {
            guard !work.stateCannotBeKept else { return }
            work.stateCannotBeKept = true
            report(Diagnostic(.storage, "the retry state of delivery cannot be stored for the next launch: \(error)"))
        }
    }

    private func publish() {
        var state = DeliveryState(
            activity: .idle, obstacle: work.machine.whyIdle, failures: work.machine.retry.failures)
        switch work.machine.phase {
        case .waiting: state.activity = .waiting
        case .idle, .reading: state.activity = .idle
        case .sending: state.activity = .sending
        case .paused(let until):
            let milliseconds = Double(time.milliseconds) + max(0, until - time.uptime) * 1000
            state.activity = .paused(until: Date(timeIntervalSince1970: milliseconds / 1000))
        case .stopped: state.activity = .stopped
        }
        shared.withLock { $0 = state }
    }
}
