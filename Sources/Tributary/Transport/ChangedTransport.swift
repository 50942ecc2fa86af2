import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Changes a request before it is sent.
typealias RequestFactory = @Sendable (URLRequest) -> URLRequest

/// Changes requests by the app's closure, then sends them.
struct ChangedTransport: Transport {
    private let transport: any Transport
    private let factory: RequestFactory

    init(_ transport: any Transport, factory: @escaping RequestFactory) {
        self.transport = transport
        self.factory = factory
    }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let changed = factory(URLRequest(request))
        guard let url = changed.url else {
            return completion(.failure(TransportError("the request factory returned a request without an address")))
        }
        var result = request
        result.url = url
        result.method = changed.httpMethod ?? request.method
        result.headers = changed.allHTTPHeaderFields ?? [:]
        result.body = changed.httpBody.map { [UInt8]($0) }
        result.deadline = changed.timeoutInterval
        transport.send(result, completion: completion)
    }
}

extension URLRequest {
    /// The request in the form of `URLSession`.
    init(_ request: TransportRequest) {
        self.init(url: request.url, timeoutInterval: request.deadline)
        httpMethod = request.method
        httpBody = request.body.map { Data($0) }
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
    }
}
