import Dispatch
import Foundation
import TributaryJSON

/// Sends the workspace a report of what each stage did to each event. For development: nothing is kept on disk.
///
/// Unchecked because all mutable state is only touched on `queue`.
final class TraceSender: @unchecked Sendable {
    private static let tracesPerRequest = 200
    private static let interval: TimeInterval = 0.5

    private let queue = DispatchQueue(label: "tributary.inspector", qos: .utility)
    private let writeKey: String
    private let transport: any Transport
    private let time: any TimeSource
    private let report: @Sendable (Diagnostic) -> Void
    private var endpoint: Endpoint?
    private var waiting: [JSON] = []
    private var lost = 0
    private var isSending = false
    private var isScheduled = false
    private var waiters: [@Sendable () -> Void] = []

    init(
        writeKey: String, time: any TimeSource, transport: any Transport,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.writeKey = writeKey
        self.transport = transport
        self.time = time
        self.report = report
    }

    func start(endpoint: Endpoint?) { queue.async { self.endpoint = endpoint } }

    func add(_ trace: StageTrace) {
        queue.async { [self] in
            guard waiting.count < Limits.pendingTraces else {
                lost += 1
                return
            }
            waiting.append(trace.json)
            if waiting.count >= Self.tracesPerRequest { send() } else { schedule() }
        }
    }

    /// Calls back when every trace so far was sent, or could not be sent.
    func flush(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            waiters.append(completion)
            send()
        }
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        time.schedule(after: Self.interval, on: queue) { [weak self] in
            self?.isScheduled = false
            self?.send()
        }
    }

    private func send() {
        guard !isSending else { return }
        guard !waiting.isEmpty, let url = endpoint?.url("traces") else { return finish() }
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
            report(Diagnostic(.delivery, "traces of \(lost) events were not kept: too many waited", count: lost))
            lost = 0
        }
        let done = waiters
        waiters = []
        for waiter in done { waiter() }
    }
}
