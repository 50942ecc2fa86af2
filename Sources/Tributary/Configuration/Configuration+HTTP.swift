public import Dispatch

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Changes a request before it is sent.
typealias RequestFactory = @Sendable (URLRequest) -> URLRequest

extension Configuration {
    /// Changes each request before it is sent: another address, more header fields. Default: requests are sent as they are.
    ///
    /// It is called on threads of the client's own, for settings, batches and live plugins alike. What counts of the
    /// request that it returns is address, method, header fields, body and timeout.
    @discardableResult public func requestFactory(
        _ factory: @escaping @Sendable (_ request: URLRequest) -> URLRequest
    ) -> Self {
        with { $0.requestFactory = factory }
    }

    /// What stands in `context.userAgent` of each event. Default: this library and the system that it runs on.
    @discardableResult public func userAgent(_ value: String?) -> Self { with { $0.userAgent = value } }

    /// The app's own object, which the client has no use for: it listens to the system's notifications.
    @available(*, deprecated, message: "the client needs no application object")
    @discardableResult public func application(_ value: Any?) -> Self { self }

    /// A queue for delivery, which the client has no use for: it has queues of its own.
    @available(*, deprecated, message: "the client delivers on queues of its own")
    @discardableResult public func flushQueue(_ queue: DispatchQueue) -> Self { self }
}

extension Configuration.Values {
    /// What carries requests, behind what the app wants to change of them.
    var requestTransport: any Transport {
        let transport = transport ?? SystemTransport()
        return requestFactory.map { ChangedTransport(transport, factory: $0) } ?? transport
    }
}
