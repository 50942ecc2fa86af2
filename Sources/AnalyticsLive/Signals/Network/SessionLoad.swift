import Foundation
import Tributary

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session behind the app's one, for systems on which a protocol has to load its request itself.
///
/// The inner session passes everything to the outer one piece by piece: head, body, end, error, redirects and requests
/// for a password. The type is compiled everywhere, so tests on Linux can check it against a recording client.
///
/// The protocol holds its load, and the system holds the protocol until the request is done. The load must not hold the
/// protocol, or no captured request would ever be released.
///
/// Unchecked because the client is only called in the order of the session's queue, on its own thread where it has one,
/// and the rest is constant or behind the lock.
final class SessionLoad: NetworkLoad, @unchecked Sendable {
    private enum Phase { case waiting, loading, over }

    private weak var outer: URLProtocol?
    private let request: URLRequest
    private let body: Data?
    private let capture: CapturedRequest?
    private let sessions: LoadingSession
    private let thread = ClientThread()
    private let state = LockBox<(stage: Phase, task: URLSessionTask?)>((.waiting, nil))

    /// - Parameters:
    /// - body: the body that the task was made with. A session passes it to protocols as a stream, which can be read
    ///   only once.
    init(
        _ outer: URLProtocol, body: Data?, capture: CapturedRequest?, sessions: LoadingSession = .shared
    ) {
        self.outer = outer
        request = outer.request
        self.body = body
        self.capture = capture
        self.sessions = sessions
    }

    func start() {
        let isFirst = state.withLock { state in
            defer { if state.stage == .waiting { state.stage = .loading } }
            return state.stage == .waiting
        }
        guard isFirst else { return }
        var request = request
        if let body { request.httpBody = body }
        let task = sessions.begin(SignalsNetworkProtocol.flagged(request), for: self)
        state.withLock { $0.task = task }
        task.resume()
    }

    /// Called when the outer session has finished the request, for any reason.
    func stop() {
        guard let task = end() else { return }
        capture?.end(URLError(.cancelled))
        LoadingSession.cancel(task)
    }

    // MARK: Calls of the inner session

    func take(_ response: URLResponse) {
        capture?.take(response)
        perform { $0.urlProtocol($1, didReceive: response, cacheStoragePolicy: .notAllowed) }
    }

    func take(_ data: Data) {
        capture?.take(data)
        perform { $0.urlProtocol($1, didLoad: data) }
    }

    func complete(_ error: (any Error)?) {
        // Reported before the app gets the response. So signals that the app makes then come after the response's
        // signal.
        capture?.end(error)
        perform(isLast: true) { client, outer in
            if let error {
                client.urlProtocol(outer, didFailWithError: error)
            } else {
                client.urlProtocolDidFinishLoading(outer)
            }
        }
    }

    /// The outer session starts again with the other address, and with another protocol.
    func redirect(to request: URLRequest, _ response: HTTPURLResponse) {
        capture?.take(response)
        capture?.end()
        let plain = SignalsNetworkProtocol.unflagged(request)
        perform(isLast: true) { client, outer in
            client.urlProtocol(outer, wasRedirectedTo: plain, redirectResponse: response)
            client.urlProtocol(outer, didFailWithError: CocoaError(.userCancelled))
        }
    }

    /// Whether the rest of the answer is not needed: the body of a redirect need not be received.
    var isOver: Bool { state.withLock { $0.stage == .over } }

    func challenge(_ challenge: URLAuthenticationChallenge) {
        perform { $0.urlProtocol($1, didReceive: challenge) }
    }

    // MARK: The client

    private func perform(isLast: Bool = false, _ call: @escaping (any URLProtocolClient, URLProtocol) -> Void) {
        thread.perform { [self] in
            guard state.withLock({ $0.stage }) == .loading else { return }
            if isLast { _ = end() }
            if let outer, let client = outer.client { call(client, outer) }
        }
    }

    /// - Returns: the task, when it had not ended.
    private func end() -> URLSessionTask? {
        state.withLock { state in
            defer { state = (.over, nil) }
            return state.stage == .loading ? state.task : nil
        }
    }
}
