import Dispatch
import Foundation
import Tributary
import TributaryJSON

/// Sends signals to one address: in batches, one request at a time, again after failures with growing pauses, with a
/// bounded queue.
///
/// Waiting signals are in memory and are lost with the process, because signals are for watching. Events are what the
/// client delivers safely.
final class SignalSender: Sendable {
    private struct State {
        weak var analytics: Analytics?
        var waiting = Ring<JSON>()
        /// The batch that is being sent; empty when there is none, or when it must not be sent again.
        var sending: [JSON] = []
        var isSending = false
        var isPaused = false
        var failures = 0
        var dropped = 0
    }

    private let state = LockBox(State())
    private let name: String
    private let makeRequest: @Sendable ([JSON], Analytics) -> TransportRequest?

    /// - Parameters:
    ///   - name: of the broadcaster, for diagnostics.
    ///   - makeRequest: the request that carries a batch; nil when there is no address.
    init(name: String, makeRequest: @escaping @Sendable ([JSON], Analytics) -> TransportRequest?) {
        self.name = name
        self.makeRequest = makeRequest
    }

    var analytics: Analytics? {
        get { state.withLock { $0.analytics } }
        set { state.withLock { $0.analytics = newValue } }
    }

    func add(_ json: JSON) {
        let isFirstLoss = state.withLock { state in
            let isLoss = state.waiting.count >= SignalLimits.waitingToBeSent
            if isLoss {
                _ = state.waiting.popFirst()
                state.dropped += 1
            }
            state.waiting.append(json)
            return isLoss && state.dropped == 1
        }
        if isFirstLoss { report("\(name): the server does not keep up, the oldest signals are left out") }
    }

    /// Sends a batch, unless one is under way or the server needs a pause.
    func send() {
        guard let analytics else { return }
        switch analytics.permit {
        case .granted: break
        case .pending: return
        case .refused: return forget()
        }
        let batch = state.withLock { state -> [JSON] in
            guard !state.isSending, !state.isPaused else { return [] }
            while state.sending.count < SignalLimits.batchSignals, let next = state.waiting.popFirst() {
                state.sending.append(next)
            }
            state.isSending = !state.sending.isEmpty
            return state.sending
        }
        guard !batch.isEmpty else { return }
        guard let request = makeRequest(batch, analytics) else {
            report("\(name): there is no address to send signals to")
            return finish(keeping: false)
        }
        analytics.transport.send(request) { [self] result in answered(result) }
    }

    /// Deletes the signals that were not sent. A batch that is being sent is not sent again.
    func forget() {
        state.withLock { state in
            state.waiting = Ring()
            state.sending = []
        }
    }

    private func answered(_ result: Result<TransportResponse, TransportError>) {
        switch result {
        case .success(let response) where (200..<300).contains(response.status): finish(keeping: false)
        case .success(let response) where [400, 413, 415, 422].contains(response.status):
            report("\(name): the server refuses \(state.withLock { $0.sending.count }) signals (\(response.status))")
            finish(keeping: false)
        case .success, .failure: finish(keeping: true)
        }
    }

    /// Ends a request. A kept batch is sent again after a pause, before newer signals.
    private func finish(keeping: Bool) {
        let pause = state.withLock { state -> TimeInterval? in
            defer {
                state.sending = []
                state.isSending = false
            }
            guard keeping else {
                state.failures = 0
                state.dropped = 0
                return nil
            }
            var waiting = Ring<JSON>()
            state.sending.forEach { waiting.append($0) }
            state.waiting.forEach { waiting.append($0) }
            while waiting.count > SignalLimits.waitingToBeSent { _ = waiting.popFirst() }
            state.waiting = waiting
            state.isPaused = true
            defer { state.failures += 1 }
            return SignalLimits.pauses.pause(after: state.failures)
        }
        guard let pause else { return send() }
        analytics?.time.schedule(after: pause, on: .global()) { [weak self] in
            self?.state.withLock { $0.isPaused = false }
            self?.send()
        }
    }

    private func report(_ message: String) {
        analytics?.report(Diagnostic(.signals, message, plugin: "Signals"))
    }
}
