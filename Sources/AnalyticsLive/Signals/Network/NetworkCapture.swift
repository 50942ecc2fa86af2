import Foundation
import Tributary

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The listeners to the requests of this process, and the readers of bodies.
///
/// `URLProtocol` is a class without access to objects, so the process has only one of these.
final class NetworkCapture: Sendable {
    /// A listener to requests.
    struct Listener: Sendable {
        let rules: NetworkRules
        /// Whether signals are wanted now.
        let isOn: @Sendable () -> Bool
        let take: @Sendable (NetworkData) -> Void
    }

    private struct State {
        var listeners: [ObjectIdentifier: Listener] = [:]
        var reader = BodyReader()
    }

    static let shared = NetworkCapture()

    private let state = LockBox(State())

    /// Sets the listener of an owner, in place of an earlier one; nil removes it.
    func set(_ listener: Listener?, for owner: AnyObject) {
        state.withLock { $0.listeners[ObjectIdentifier(owner)] = listener }
    }

    func add(_ deserializer: @escaping BodyReader.Deserializer, for contentType: String) {
        state.withLock { $0.reader.add(deserializer, for: contentType) }
    }

    /// Whether a listener wants requests to that address.
    func captures(_ url: URL?) -> Bool { url.map { !listeners(for: $0).isEmpty } ?? false }

    /// Reports the start of a request; nil when no listener wants it.
    func begin(_ request: URLRequest, body: Data? = nil) -> CapturedRequest? {
        guard let url = request.url else { return nil }
        let listeners = listeners(for: url)
        guard !listeners.isEmpty else { return nil }
        let reader = state.withLock { $0.reader }
        let exchange = NetworkExchange(request, body: body, id: UUID().uuidString, reader: reader)
        return CapturedRequest(exchange, listeners)
    }

    private func listeners(for url: URL) -> [Listener] {
        let all = state.withLock { $0.listeners }
        return all.values.filter { $0.rules.capture(url) && $0.isOn() }
    }
}

/// A request that is under way, and its listeners. The session may report its progress on any thread.
final class CapturedRequest: Sendable {
    private let exchange: LockBox<NetworkExchange>
    private let listeners: [NetworkCapture.Listener]

    /// Reports the request to the listeners.
    init(_ exchange: NetworkExchange, _ listeners: [NetworkCapture.Listener]) {
        self.exchange = LockBox(exchange)
        self.listeners = listeners
        emit(exchange.request)
    }

    func take(_ response: URLResponse) { exchange.withLock { $0.take(response) } }

    func take(_ data: Data) { exchange.withLock { $0.take(data) } }

    /// Reports the response, unless it was reported before.
    func end(_ error: (any Error)? = nil) { exchange.withLock { $0.end(error) }.map(emit) }

    private func emit(_ data: NetworkData) { for listener in listeners { listener.take(data) } }
}
