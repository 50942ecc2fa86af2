#if canImport(CCurl)
package import Foundation

/// Requests over libcurl, for Linux, where `URLSession` ends the process when an answer is cut off within its head.
///
/// Redirects are refused, answers bounded, compressed ones decoded; each request has its own deadline. All requests run
/// on one thread, which begins with the first request and ends when there has been none for a minute. Connections are
/// kept for as long. Completions are called on a background queue; one that takes its time holds up no other.
/// A proxy is used when the environment names one (`http_proxy`, `https_proxy`, `no_proxy`), as other programs do.
/// When the transport is released, the requests under way still come to their end.
public final class CurlTransport: Transport {
    private let loop: CurlLoop

    /// A transport without a connection; the library is loaded by the first request.
    public convenience init() { self.init(idleSeconds: Limits.idleConnectionSeconds) }

    /// - Parameter authorities: a file with the certificates that are believed, in place of the system's.
    package init(idleSeconds: TimeInterval, authorities: String? = nil) {
        loop = CurlLoop(idleSeconds: idleSeconds, authorities: authorities)
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
