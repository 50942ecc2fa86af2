#if !canImport(Darwin)
import Foundation
import FoundationNetworking
import Tributary

/// Lets the session's own code load a request, and observes it.
///
/// With the open-source Foundation, an inner session cannot replace the outer one. A redirect that a protocol reports
/// ends the process, and so does a download. An app's delegate would not be asked about redirects, and a completion
/// handler would get only the last piece of an answer. So the class that would have loaded the request loads it here,
/// too, and its client reports what it hears: everything but the pieces of a body that go to a session's delegate.
final class NativeLoad: NetworkLoad {
    private let native: URLProtocol
    private let capture: CapturedRequest?
    private let task: URLSessionTask

    /// - Returns: nil when no class can load the request.
    init?(_ outer: SignalsNetworkProtocol, capture: CapturedRequest?) {
        guard let task = outer.task, let client = outer.client, let type = Self.type(for: outer.request) else {
            return nil
        }
        self.task = task
        self.capture = capture
        native = type.init(
            task: task, cachedResponse: outer.cachedResponse,
            client: capture.map { WatchedClient(client, $0) } ?? client)
    }

    func start() { native.startLoading() }

    func stop() {
        let error = task.error
        // A session that tries again with a password stops the first attempt without an error, and would take it for a
        // mistake of its own.
        guard task.state == .suspended || error != nil else { return }
        if task.state != .suspended { capture?.end(error) }
        native.stopLoading()
    }

    /// The class that would load the request without the capture.
    static func type(for request: URLRequest) -> URLProtocol.Type? {
        natives.first { $0.canInit(with: request) }
    }

    static func loadsHTTP(_ candidate: AnyClass) -> Bool {
        guard let url = URL(string: "http://localhost/"), let type = candidate as? URLProtocol.Type else {
            return false
        }
        return type.canInit(with: URLRequest(url: url))
    }

    private static let natives = (URLSessionConfiguration.ephemeral.protocolClasses ?? []).compactMap {
        $0 as? URLProtocol.Type
    }
}

/// Reports what a protocol tells its client, and passes it on to the client.
///
/// Unchecked because all is constant, and clients are safe from any thread.
private final class WatchedClient: NSObject, URLProtocolClient, @unchecked Sendable {
    private let next: any URLProtocolClient
    private let capture: CapturedRequest

    init(_ next: any URLProtocolClient, _ capture: CapturedRequest) {
        self.next = next
        self.capture = capture
    }

    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        capture.take(response)
        next.urlProtocol(`protocol`, didReceive: response, cacheStoragePolicy: policy)
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
        capture.take(data)
        next.urlProtocol(`protocol`, didLoad: data)
    }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
        if let response = `protocol`.task?.response { capture.take(response) }
        capture.end()
        next.urlProtocolDidFinishLoading(`protocol`)
    }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        if let response = `protocol`.task?.response { capture.take(response) }
        capture.end(error)
        next.urlProtocol(`protocol`, didFailWithError: error)
    }

    func urlProtocol(
        _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
    ) {
        next.urlProtocol(`protocol`, wasRedirectedTo: request, redirectResponse: redirectResponse)
    }

    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
        next.urlProtocol(`protocol`, cachedResponseIsValid: cachedResponse)
    }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        next.urlProtocol(`protocol`, didReceive: challenge)
    }

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        next.urlProtocol(`protocol`, didCancel: challenge)
    }
}
#endif
