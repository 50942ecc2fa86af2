import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Has an app make each request: its address and its header fields, over which the client's own go.
struct RequestFactoryTransport: Transport {
    let factory: SEGRequestFactory
    let next: any Transport

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let made = factory(request.url)
        var request = request
        if let url = made.url { request.url = url }
        for (name, value) in made.allHTTPHeaderFields ?? [:] where request.headers[name] == nil {
            request.headers[name] = value
        }
        next.send(request, completion: completion)
    }
}
