import Dispatch
import Foundation
import TributaryJSON

/// Sends the server a report of what each stage did to an event. For people who look now: nothing is kept on disk.
final class TraceSender: Sendable {
    private struct State {
        var allowance = TraceAllowance()
        var endpoint: Endpoint?
        var waiting: [JSON] = []
        var lost = 0
        var isSending = false
        var isScheduled = false
        var waiters: [@Sendable () -> Void] = []
    }

    private static let tracesPerRequest = 200

    private let scope: TraceScope
    private let queue = DispatchQueue(label: "tributary.inspector", qos: .utility)
    private let writeKey: String
    private let transport: any Transport
    private let time: any TimeSource
    private let conditions: DeliveryConditions
    private let report: @Sendable (Diagnostic) -> Void
    private let orders = LockBox(TraceOrders())
    private let state: QueueBound<State>

    /// - Parameter conditions: the uploader's own, which ordered traces keep to.
    init(
        scope: TraceScope, writeKey: String, time: any TimeSource, transport: any Transport,
        conditions: DeliveryConditions, report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.scope = scope
        self.writeKey = writeKey
        self.transport = transport
        self.time = time
        self.conditions = conditions
        self.report = report
        state = QueueBound(State(), to: queue)
    }

    func start(endpoint: Endpoint?) { queue.async { self.state.endpoint = endpoint } }

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
        queue.async { self.state.waiting = [] }
    }

    func add(_ trace: StageTrace) {
        queue.async { [self] in
            let json = trace.json(scope)
            guard hasRoom(for: json) else {
                state.lost += 1
                return
            }
            state.waiting.append(json)
            if state.waiting.count >= Self.tracesPerRequest { send() } else { schedule() }
        }
    }

    private func hasRoom(for trace: JSON) -> Bool {
        switch scope {
        case .all: state.waiting.count < Limits.pendingTraces
        case .ordered:
            state.waiting.count < Limits.pendingOrderedTraces
                && state.allowance.take(bytes: trace.encoded().count, at: time.uptime)
        }
    }

    /// Calls back when every trace so far was sent, or could not be sent.
    func flush(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            state.waiters.append(completion)
            send()
        }
    }

    /// Ordered traces wake the network of a user's device less often.
    private var interval: TimeInterval { scope == .all ? 0.5 : 2 }

    private func schedule() {
        guard !state.isScheduled else { return }
        state.isScheduled = true
        time.schedule(after: interval, on: queue) { [weak self] in
            self?.state.isScheduled = false
            self?.send()
        }
    }

    private func send() {
        guard !state.isSending else { return }
        guard !state.waiting.isEmpty, scope == .all || conditions.obstacle == nil,
            let url = state.endpoint?.url("traces")
        else {
            return finish()
        }
        let batch = Array(state.waiting.prefix(Self.tracesPerRequest))
        let body: JSON = ["writeKey": .string(writeKey), "traces": .array(batch)]
        let request = TransportRequest(
            method: "POST", url: url, headers: ["Content-Type": "application/json; charset=utf-8"],
            body: body.encoded())
        state.isSending = true
        transport.send(request) { [self] result in
            queue.async { self.sent(batch.count, result) }
        }
    }

    /// Drops traces that a server does not accept. They are only for viewing, so there is no second attempt.
    private func sent(_ count: Int, _ result: Result<TransportResponse, TransportError>) {
        state.isSending = false
        state.waiting.removeFirst(min(count, state.waiting.count))
        if case .success(let response) = result, (200..<300).contains(response.status) {
            return send()
        }
        report(Diagnostic(.delivery, "the inspector did not take the traces of \(count) events", count: count))
        finish()
    }

    private func finish() {
        let lost = state.lost
        if lost > 0 {
            report(Diagnostic(.delivery, "traces of \(lost) events were not kept: there were too many", count: lost))
            state.lost = 0
        }
        let done = state.waiters
        state.waiters = []
        for waiter in done { waiter() }
    }
}
