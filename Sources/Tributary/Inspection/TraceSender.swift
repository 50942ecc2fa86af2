import Dispatch
import Foundation
import TributaryJSON

/// Sends the server a report of what each stage did to an event. For people who look now: nothing is kept on disk.
///
/// Unchecked because all mutable state is only touched on `queue`, except for the orders, which are behind their lock.
final class TraceSender: @unchecked Sendable {
    private static let tracesPerRequest = 200

    private let scope: TraceScope
    private let queue = DispatchQueue(label: "tributary.inspector", qos: .utility)
    private let writeKey: String
    private let transport: any Transport
    private let time: any TimeSource
    private let conditions: (any UploadConditions)?
    private let report: @Sendable (Diagnostic) -> Void
    private let orders = LockBox(TraceOrders())
    private var allowance = TraceAllowance()
    private var endpoint: Endpoint?
    private var waiting: [JSON] = []
    private var lost = 0
    private var isSending = false
    private var isScheduled = false
    private var waiters: [@Sendable () -> Void] = []

    /// - Parameter conditions: the uploader's own, which ordered traces keep to.
    init(
        scope: TraceScope, writeKey: String, time: any TimeSource, transport: any Transport,
        conditions: (any UploadConditions)?, report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.scope = scope
        self.writeKey = writeKey
        self.transport = transport
        self.time = time
        self.conditions = conditions
        self.report = report
    }

    func start(endpoint: Endpoint?) { queue.async { self.endpoint = endpoint } }

    /// Whether an event is traced; on any thread.
    func traces(_ event: JSONObject) -> Bool {
        switch scope {
        case .all: true
        case .ordered: orders.withLock { !$0.isEmpty && $0.name(event, at: time.uptime) }
        }
    }

    /// The server answered a batch; on any thread.
    func follow(_ answer: [UInt8]) {
        guard scope == .ordered else { return }
        let new = TraceOrders(answer: answer, at: time.uptime)
        orders.withLock { $0 = new }
    }

    /// The user allows nothing any more: what waits is not sent.
    func forget() {
        orders.withLock { $0 = TraceOrders() }
        queue.async { self.waiting = [] }
    }

    func add(_ trace: StageTrace) {
        queue.async { [self] in
            let json = trace.json(scope)
            guard hasRoom(for: json) else {
                lost += 1
                return
            }
            waiting.append(json)
            if waiting.count >= Self.tracesPerRequest { send() } else { schedule() }
        }
    }

    private func hasRoom(for trace: JSON) -> Bool {
        switch scope {
        case .all: waiting.count < Limits.pendingTraces
        case .ordered:
            waiting.count < Limits.pendingOrderedTraces
                && allowance.take(bytes: trace.encoded().count, at: time.uptime)
        }
    }

    /// Calls back when every trace so far was sent, or could not be sent.
    func flush(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            waiters.append(completion)
            send()
        }
    }

    /// Ordered traces wake the network of a user's device less often.
    private var interval: TimeInterval { scope == .all ? 0.5 : 2 }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        time.schedule(after: interval, on: queue) { [weak self] in
            self?.isScheduled = false
            self?.send()
        }
    }

    private func send() {
        guard !isSending else { return }
        guard !waiting.isEmpty, scope == .all || conditions?.obstacle == nil, let url = endpoint?.url("traces") else {
            return finish()
        }
        let batch = Array(waiting.prefix(Self.tracesPerRequest))
        let body: JSON = ["writeKey": .string(writeKey), "traces": .array(batch)]
        let request = TransportRequest(
            method: "POST", url: url, headers: ["Content-Type": "application/json; charset=utf-8"],
            body: body.encoded())
        isSending = true
        transport.send(request) { [self] result in
            queue.async { self.sent(batch.count, result) }
        }
    }

    /// Drops traces that a server does not accept. They are only for viewing, so there is no second attempt.
    private func sent(_ count: Int, _ result: Result<TransportResponse, TransportError>) {
        isSending = false
        waiting.removeFirst(min(count, waiting.count))
        if case .success(let response) = result, (200..<300).contains(response.status) {
            return send()
        }
        report(Diagnostic(.delivery, "the inspector did not take the traces of \(count) events", count: count))
        finish()
    }

    private func finish() {
        if lost > 0 {
            report(Diagnostic(.delivery, "traces of \(lost) events were not kept: there were too many", count: lost))
            lost = 0
        }
        let done = waiters
        waiters = []
        for waiter in done { waiter() }
    }
}
