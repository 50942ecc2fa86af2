#if canImport(CTributaryCurl)
package import Foundation

/// Requests with libcurl, for Linux. There, `URLSession` ends the process when an answer breaks off within its head.
///
/// Redirects are refused, answers are bounded, and compressed answers are decoded. Each request has its own deadline.
/// All requests run on one thread. It begins with the first request and ends after a minute without a request;
/// connections are kept as long. Completions are called on a background queue, and a slow completion holds up no other
/// request. The transport uses the proxy that the environment names (`http_proxy`, `https_proxy`, `no_proxy`), as other
/// programs do. When the transport is released, requests under way still end normally.
public final class CurlTransport: Transport {
    private let loop: CurlLoop

    /// A transport without a connection. The first request loads the library.
    public convenience init() { self.init(connections: Limits.connectionsPerHost) }

    /// - Parameter connections: to one server at a time.
    convenience init(connections: Int) {
        self.init(idleSeconds: Limits.idleConnectionSeconds, connections: connections)
    }

    /// - Parameter authorities: a file with the trusted certificates; nil uses the system's.
    package convenience init(idleSeconds: TimeInterval, authorities: String? = nil) {
        self.init(idleSeconds: idleSeconds, authorities: authorities, connections: Limits.connectionsPerHost)
    }

    private init(idleSeconds: TimeInterval, authorities: String? = nil, connections: Int) {
        loop = CurlLoop(idleSeconds: idleSeconds, authorities: authorities, connections: connections)
        _ = CurlLibrary.isGuarded
    }

    deinit { loop.release() }

    public func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        loop.send(request, completion: completion)
    }
}
#endif
