import Dispatch
import Foundation
import TributaryJSON

/// Takes batches from the outbox to the server, one at a time and in order, as `DeliveryPolicy` decides.
///
/// Unchecked because all mutable state is only touched on `queue`.
final class Uploader: @unchecked Sendable {
    /// A caller who wants to know when everything up to a place has gone out.
    private struct Waiter {
        let id: Int
        let end: LogPosition
        let completion: @Sendable (FlushResult) -> Void
        /// Whether it waits through failures until its time is over.
        let isPatient: Bool
    }

    private let queue = DispatchQueue(label: "tributary.delivery", qos: .utility)
    private let outbox: SpillingLog
    private let deadLetters: any RecordLog
    private let writeKey: String
    private let transport: any Transport
    private let time: any TimeSource
    private let identifiers: Identifiers
    private let accounts: Accounts
    private let report: @Sendable (Diagnostic) -> Void
    private let flushAt: Int
    private let flushInterval: TimeInterval
    private let policy = DeliveryPolicy()

    private var endpoint: Endpoint?
    private var compresses: Bool
    private var isStarted = false
    private var isStopped = false
    private var isSending = false
    private var failures = 0
    /// Delivery rests until then.
    private var pausedUntil: TimeInterval = 0
    private var eventsPerBatch = Limits.batchEvents
    /// How far the server has confirmed: the outbox may not be able to write that down, and must not send it again.
    private var confirmed: LogPosition
    private var waiters: [Waiter] = []
    private var timer: (any ScheduledWork)?
    private var intervalTimer: (any ScheduledWork)?
    private let appended = LockBox(0)
    private let waiterIds = LockBox(0)
    /// Why nothing is being uploaded; nil while something is.
    private let idleReason = LockBox<String?>("the client has not started")

    init(
        outbox: SpillingLog, deadLetters: any RecordLog, values: Configuration.Values, transport: any Transport,
        accounts: Accounts, report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.outbox = outbox
        self.deadLetters = deadLetters
        writeKey = values.writeKey
        self.transport = transport
        time = values.time
        identifiers = values.identifiers
        self.accounts = accounts
        self.report = report
        flushAt = values.flushAt
        flushInterval = values.flushInterval
        compresses = values.gzip
        confirmed = outbox.start
    }

    // MARK: From outside

    /// Begins with what an earlier process left, and then every `flushInterval` seconds.
    func start(endpoint: Endpoint?) {
        queue.async { [self] in
            self.endpoint = endpoint
            guard !isStarted else { return }
            isStarted = true
            setIdle("nothing waits")
            scheduleInterval()
            step()
        }
    }

    /// Ends delivery. An answer that is still to come is not waited for: the batch goes out again at the next start.
    func stop(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            isStopped = true
            timer?.cancel()
            intervalTimer?.cancel()
            setIdle("the client has ended")
            finishWaiters { _ in true }
            completion()
        }
    }

    /// Called for each event that went into the outbox; the `flushAt`th wakes the uploader.
    func noteAppended() {
        let isDue = appended.withLock { count in
            count += 1
            guard count >= flushAt else { return false }
            count = 0
            return true
        }
        if isDue { queue.async { self.step() } }
    }

    /// Sends everything up to now. With a patient caller, failures are tried again until `cancelFlush`.
    /// - Returns: a number for `cancelFlush`.
    func flush(isPatient: Bool, completion: @escaping @Sendable (FlushResult) -> Void) -> Int {
        let id = waiterIds.withLock { id in
            id += 1
            return id
        }
        let waiter = Waiter(id: id, end: outbox.end, completion: completion, isPatient: isPatient)
        queue.async { [self] in
            waiters.append(waiter)
            step()
        }
        return id
    }

    /// Why nothing is being uploaded right now; nil while something is.
    var whyIdle: String? { idleReason.withLock { $0 } }

    // MARK: One step

    private func step() {
        guard isStarted, !isStopped, !isSending else { return }
        finishWaiters { confirmed.isAtOrAfter($0.end) }
        let now = time.uptime
        guard now >= pausedUntil else {
            finishWaiters { !$0.isPatient }  // the one attempt that they wait for is behind them
            return wait(until: pausedUntil)
        }
        let (records, end) = outbox.read(
            after: confirmed, maxBytes: Limits.batchBytes, maxCount: eventsPerBatch)
        guard !records.isEmpty else {
            setIdle("nothing waits")
            finishWaiters { _ in true }
            return
        }
        send(Batch(records: records, end: end))
    }

    private func send(_ batch: Batch) {
        guard let endpoint, let url = endpoint.url("b") else {
            return pause(batch, "the API host is not an address", seconds: policy.longDelay)
        }
        let sentAt = ISO8601.string(milliseconds: time.milliseconds)
        var body = batch.body(writeKey: writeKey, sentAt: sentAt)
        var headers = headers(sentAt: sentAt)
        var wasCompressed = false
        if compresses, let compressed = Gzip.compress(body) {
            body = compressed
            headers["Content-Encoding"] = "gzip"
            wasCompressed = true
        }
        isSending = true
        setIdle(nil)
        let request = TransportRequest(
            method: "POST", url: url, headers: headers, body: body, deadline: Limits.requestDeadline)
        transport.send(request) { [self, wasCompressed] result in
            queue.async { self.received(result, for: batch, wasCompressed: wasCompressed) }
        }
    }

    private func headers(sentAt: String) -> [String: String] {
        [
            "Content-Type": "application/json; charset=utf-8",
            "Authorization": "Basic " + Data("\(writeKey):".utf8).base64EncodedString(),
            "User-Agent": "tributary/\(Analytics.version())",
            "X-Sent-At": sentAt,
            "X-Retry-Count": "\(failures)",
        ]
    }

    private func received(
        _ result: Result<TransportResponse, TransportError>, for batch: Batch, wasCompressed: Bool
    ) {
        isSending = false
        guard !isStopped else { return }
        let now = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
        let decision = policy.decide(
            .init(result, wasCompressed: wasCompressed, now: now), events: batch.records.count, failures: failures,
            random: identifiers.random())
        perform(decision, on: batch)
    }

    private func perform(_ decision: DeliveryPolicy.Decision, on batch: Batch) {
        switch decision.action {
        case .confirmed:
            confirm(batch)
            accounts.count { $0.uploaded += batch.records.count }
            eventsPerBatch = min(Limits.batchEvents, eventsPerBatch * 2)
            step()
        case .resendPlain:
            compresses = false
            report(Diagnostic(.delivery, "\(decision.reason): bodies are sent plain from now on"))
            step()
        case .split:
            eventsPerBatch = max(1, batch.records.count / 2)
            step()
        case .deadLetter:
            putAside(batch, decision.reason)
            step()
        case .retry(let seconds):
            pause(batch, decision.reason, seconds: seconds)
        }
    }

    private func confirm(_ batch: Batch) {
        if failures > 0 { report(Diagnostic(.delivery, "delivery goes on after \(failures) failures")) }
        failures = 0
        pausedUntil = 0
        confirmed = batch.end
        outbox.remove(through: batch.end, mark: batch.records.last { $0.origin != nil }?.origin?.bytes)
    }

    /// The event itself is refused: it goes to a log of its own, with the reason, and the others go on.
    private func putAside(_ batch: Batch, _ reason: String) {
        for record in batch.records {
            let letter: JSON = [
                "reason": .string(reason), "at": .string(ISO8601.string(milliseconds: time.milliseconds)),
                "event": (try? JSON.parse(record.payload)) ?? .string(String(decoding: record.payload, as: UTF8.self)),
            ]
            do {
                _ = try deadLetters.append(letter.encoded(), origin: nil, snapshot: nil)
            } catch {
                report(Diagnostic(.storage, "a refused event cannot be put aside: \(error)"))
            }
        }
        accounts.count { $0.deadLettered += batch.records.count }
        report(
            Diagnostic(
                .eventDropped, "the server refused an event for good, it was put aside: \(reason)",
                destination: CloudDestination.key, count: batch.records.count))
        confirm(batch)
    }

    private func pause(_ batch: Batch, _ reason: String, seconds: TimeInterval) {
        failures += 1
        setIdle(reason)
        pausedUntil = time.uptime + seconds
        finishWaiters { !$0.isPatient }
        wait(until: pausedUntil)
        report(
            Diagnostic(
                .delivery, "\(reason); next try in \(Int(seconds.rounded(.up))) s, \(outbox.count) events wait",
                destination: CloudDestination.key, count: batch.records.count))
    }

    // MARK: Waiting

    private func wait(until uptime: TimeInterval) {
        timer?.cancel()
        timer = time.schedule(after: max(0, uptime - time.uptime), on: queue) { [weak self] in self?.step() }
    }

    private func scheduleInterval() {
        guard flushInterval > 0 else { return }
        intervalTimer = time.schedule(after: flushInterval, on: queue) { [weak self] in
            guard let self, !isStopped else { return }
            step()
            scheduleInterval()
        }
    }

    private func setIdle(_ reason: String?) { idleReason.withLock { $0 = reason } }

    private func finishWaiters(_ isDone: (Waiter) -> Bool) {
        let done = waiters.filter(isDone)
        guard !done.isEmpty else { return }
        let ids = Set(done.map(\.id))
        waiters.removeAll { ids.contains($0.id) }
        for waiter in done { waiter.completion(result(for: waiter)) }
    }

    private func result(for waiter: Waiter) -> FlushResult {
        confirmed.isAtOrAfter(waiter.end) || outbox.count == 0
            ? .sent : .partly(remaining: outbox.count, reason: whyIdle ?? "it is being sent")
    }

    /// Ends the wait of a patient caller whose time is over.
    func cancelFlush(_ id: Int) {
        queue.async { [self] in finishWaiters { $0.id == id } }
    }
}

extension RecordOrigin {
    /// The form in which the outbox's mark keeps it.
    var bytes: [UInt8] {
        [lane, epoch, sequence].flatMap { value in
            (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        }
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == 24 else { return nil }
        let words = (0..<3).map { word in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[word * 8 + $1]) << (8 * UInt64($1)) }
        }
        self.init(lane: words[0], epoch: words[1], sequence: words[2])
    }
}
