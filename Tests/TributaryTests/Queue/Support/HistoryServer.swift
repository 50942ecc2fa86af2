import Foundation
import TestSupport
import TributaryJSON

@testable import Tributary

/// A server for random histories. It answers batches as a history says, and notes which events it got how often.
///
/// Unchecked because the state is behind its lock.
final class HistoryServer: Transport, @unchecked Sendable {
    /// What happens to a batch.
    enum Mode: Equatable {
        /// The server takes it, unless it refuses an event of it.
        case accept
        /// The server answers with a status and takes nothing.
        case status(Int)
        /// The server gets the batch, and the answer does not reach the client.
        case loseAnswer
        /// The batch does not reach the server.
        case down
        /// The server takes the batch, and answers when the history says so.
        case hold
    }

    /// An event whose name contains this is refused for good.
    static let refusedName = "refused"

    private struct Held {
        let ids: [String]
        let deadline: TimeInterval
        let completion: @Sendable (Result<TransportResponse, TransportError>) -> Void
    }

    private struct State {
        var mode = Mode.accept
        var held: Held?
        var requests = 0
        /// Events for which the client got an answer that ends their delivery.
        var confirmed: Set<String> = []
        var refused: Set<String> = []
        var breaches: [String] = []
    }

    private let state = LockBox(State())
    private let settings = TestServer()
    private let time: ManualTime

    init(time: ManualTime) { self.time = time }

    var mode: Mode {
        get { state.withLock { $0.mode } }
        set { state.withLock { $0.mode = newValue } }
    }
    /// Events for which the client got a confirmation in time.
    var confirmed: Int { state.withLock { $0.confirmed.count } }
    var refused: Int { state.withLock { $0.refused.count } }
    /// Batches that were sent so far, whether they arrived or not.
    var requests: Int { state.withLock { $0.requests } }
    /// Events that came again after their end.
    var breaches: [String] { state.withLock { $0.breaches } }
    /// Whether a batch waits for its answer.
    var isHolding: Bool { state.withLock { $0.held != nil } }

    func send(
        _ request: TransportRequest, completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        guard request.url.path.hasSuffix("/b") else { return settings.send(request, completion: completion) }
        let batch = request.body.flatMap { try? JSON.parse($0) }?["batch"]?.elements ?? []
        let deadline = time.uptime + request.deadline + Limits.deadlineGrace
        let answer = state.withLock { state -> Result<TransportResponse, TransportError>? in
            Self.answer(batch, &state) { ids in Held(ids: ids, deadline: deadline, completion: completion) }
        }
        if let answer { completion(answer) }
    }

    private static func answer(
        _ batch: [JSON], _ state: inout State, _ hold: ([String]) -> Held
    ) -> Result<TransportResponse, TransportError>? {
        let ids = batch.compactMap { $0["messageId"]?.stringValue }
        let mode = state.mode
        state.requests += 1
        guard mode != .down else { return .failure(TransportError("down")) }
        for id in ids where state.confirmed.contains(id) || state.refused.contains(id) {
            state.breaches.append("\(id) comes again after its end")
        }
        if case .status(let status) = mode {
            if status == 413, batch.count == 1 { state.refused.formUnion(ids) }
            return .success(TransportResponse(status: status))
        }
        if batch.contains(where: { $0["event"]?.stringValue?.contains(refusedName) == true }) {
            if batch.count == 1 { state.refused.formUnion(ids) }
            return .success(TransportResponse(status: 400))
        }
        switch mode {
        case .loseAnswer: return .failure(TransportError("the answer is lost"))
        case .hold:
            state.held = hold(ids)
            return nil
        default:
            state.confirmed.formUnion(ids)
            return .success(TransportResponse(status: 200))
        }
    }

    /// Answers the batch that waits.
    func release() {
        let now = time.uptime
        let held = state.withLock { state -> Held? in
            defer { state.held = nil }
            if let held = state.held, now < held.deadline { state.confirmed.formUnion(held.ids) }
            return state.held
        }
        held?.completion(.success(TransportResponse(status: 200)))
    }

    /// The client of the batch that waits has ended, so no answer reaches it.
    func forget() { state.withLock { $0.held = nil } }
}
