import Foundation
import TestSupport

@testable import Tributary

/// A transport that answers batches only when a test says so, as often as it says so.
///
/// Unchecked because the state is behind its lock.
final class HeldTransport: Transport, @unchecked Sendable {
    typealias Completion = @Sendable (Result<TransportResponse, TransportError>) -> Void

    private struct State {
        var held: [(request: TransportRequest, completion: Completion)] = []
        var isOpen = false
        var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let server: TestServer
    private let state = LockBox(State())

    /// Settings and everything but batches go to that server.
    init(_ server: TestServer) { self.server = server }

    func send(_ request: TransportRequest, completion: @escaping Completion) {
        guard request.url.path.hasSuffix("/b") else { return server.send(request, completion: completion) }
        let isOpen = state.withLock { state in
            guard !state.isOpen else { return true }
            state.held.append((request, completion))
            Self.resume(&state)
            return false
        }
        if isOpen { server.send(request, completion: completion) }
    }

    /// Waits until that many batches have come.
    func batches(_ count: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.waiting = (count, continuation)
                Self.resume(&state)
            }
        }
    }

    /// Answers a batch, whether it was answered before or not.
    func answer(_ index: Int, _ status: Int) {
        state.withLock { $0.held[index] }.completion(.success(TransportResponse(status: status)))
    }

    /// Lets the newest batch through to the server, and all that come from now on.
    func open() {
        let newest = state.withLock { state in
            state.isOpen = true
            return state.held.last
        }
        if let newest { server.send(newest.request, completion: newest.completion) }
    }

    private static func resume(_ state: inout State) {
        guard let waiting = state.waiting, state.held.count >= waiting.count else { return }
        state.waiting = nil
        waiting.continuation.resume()
    }
}
