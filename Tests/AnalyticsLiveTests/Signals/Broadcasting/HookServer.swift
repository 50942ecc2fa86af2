import Foundation
import TestSupport
import Tributary

/// A server that gets signals, beside the one that gets events.
///
/// Unchecked because everything that changes is behind the lock, apart from `others`, which is set before the first request.
final class HookServer: Transport, @unchecked Sendable {
    private struct State {
        var requests: [TransportRequest] = []
        var statuses: [Int] = []
        var isSilent = false
    }

    private let state = LockBox(State())
    /// The server that answers all other requests.
    var others: TestServer?

    /// - Parameter statuses: what the first requests are answered with; then 200.
    init(statuses: [Int] = []) { state.withLock { $0.statuses = statuses } }

    var requests: [TransportRequest] { state.withLock { $0.requests } }
    var bodies: [JSON] { requests.compactMap { try? JSON.parse($0.body ?? []) } }

    /// Answers no request from now on.
    func silence() { state.withLock { $0.isSilent = true } }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        guard request.url.host?.hasPrefix("hook") == true else {
            others?.send(request, completion: completion)
            return
        }
        let status = state.withLock { state -> Int? in
            state.requests.append(request)
            guard !state.isSilent else { return nil }
            return state.statuses.isEmpty ? 200 : state.statuses.removeFirst()
        }
        if let status { completion(.success(TransportResponse(status: status))) }
    }
}
