import Foundation
import Tributary

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Who wants to know of the requests of this process, and how bodies are read.
///
/// `URLProtocol` knows classes, not objects, so there is one of these for the process.
final class NetworkCapture: Sendable {
    /// Somebody who wants to know.
    struct Listener: Sendable {
        let rules: NetworkRules
        /// Whether signals are wanted at present.
        let isOn: @Sendable () -> Bool
        let take: @Sendable (NetworkData) -> Void
    }

    private struct State {
        var listeners: [ObjectIdentifier: Listener] = [:]
        var reader = BodyReader()
    }

    static let shared = NetworkCapture()

    private let state = LockBox(State())

    /// From now on this listener speaks for its owner, instead of an earlier one; nil takes it away.
    func set(_ listener: Listener?, for owner: AnyObject) {
        state.withLock { $0.listeners[ObjectIdentifier(owner)] = listener }
    }

    func add(_ deserializer: @escaping BodyReader.Deserializer, for contentType: String) {
        state.withLock { $0.reader.add(deserializer, for: contentType) }
    }

    /// Whether anybody wants to know of a request to that address.
    func captures(_ url: URL?) -> Bool { url.map { !listeners(for: $0).isEmpty } ?? false }

    /// Tells of a request that begins; nil when nobody wants to know.
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

/// A request that is under way, and who is told of it. The session may tell of it on any thread.
final class CapturedRequest: Sendable {
    private let exchange: LockBox<NetworkExchange>
    private let listeners: [NetworkCapture.Listener]

    /// Tells of the request.
    init(_ exchange: NetworkExchange, _ listeners: [NetworkCapture.Listener]) {
        self.exchange = LockBox(exchange)
        self.listeners = listeners
        tell(exchange.request)
    }

    func take(_ response: URLResponse) { exchange.withLock { $0.take(response) } }

    func take(_ data: Data) { exchange.withLock { $0.take(data) } }

    /// Tells of the response, when that has not been done.
    func end(_ error: (any Error)? = nil) { exchange.withLock { $0.end(error) }.map(tell) }

    private func tell(_ data: NetworkData) { for listener in listeners { listener.take(data) } }
}
