import Foundation
import Tributary

/// A server in the process: takes batches unless told otherwise, and says what it got before it answers.
final class MemoryServer: Transport {
    private struct State {
        var refusals: Int
        var events: [JSON] = []
    }

    private let state: LockBox<State>
    private let got: @Sendable (JSON) -> Void

    /// - Parameters:
    ///   - refusals: batches that are answered with 503 before the first one is taken.
    ///   - got: called for each event.
    init(refusals: Int = 0, got: @escaping @Sendable (JSON) -> Void = { _ in }) {
        state = LockBox(State(refusals: refusals))
        self.got = got
    }

    /// What was taken, in its order.
    var events: [JSON] { state.withLock { $0.events } }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let status = request.method == "POST" ? take(request.body ?? []) : 200
        let answer = request.method == "POST" ? "{}" : #"{"integrations":{"Segment.io":{"apiKey":"KEY"}}}"#
        DispatchQueue.global().async {
            completion(.success(TransportResponse(status: status, body: Array(answer.utf8))))
        }
    }

    private func take(_ body: [UInt8]) -> Int {
        guard let events = (try? JSON.parse(body))?["batch"]?.elements else { return 400 }
        let isTaken = state.withLock { state in
            guard state.refusals == 0 else {
                state.refusals -= 1
                return false
            }
            state.events += events
            return true
        }
        if isTaken { events.forEach(got) }
        return isTaken ? 200 : 503
    }
}
