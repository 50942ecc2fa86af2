import Foundation
import TestSupport

@testable import Tributary

/// A transport that answers batches only when a test says so, as often as it says so.
///
/// Unchecked because the state is behind its lock.
final class HeldTransport: Transport, @unchecked Sendable {
    typealias Completion = @Sendable (Result<TransportResponse, TransportError>) -> Void

    private struct State {
        var held: [Completion] = []
        var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let server: TestServer
    private let state = LockBox(State())

    /// Settings and everything but batches go to that server.
    init(_ server: TestServer) { self.server = server }

    func send(_ request: TransportRequest, completion: @escaping Completion) {
        guard request.url.path.hasSuffix("/b") else { return server.send(request, completion: completion) }
        state.withLock { state in
            state.held.append(completion)
            Self.resume(&state)
        }
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
        state.withLock { $0.held[index] }(.success(TransportResponse(status: status)))
    }

    private static func resume(_ state: inout State) {
        guard let waiting = state.waiting, state.held.count >= waiting.count else { return }
        state.waiting = nil
        waiting.continuation.resume()
    }
}
