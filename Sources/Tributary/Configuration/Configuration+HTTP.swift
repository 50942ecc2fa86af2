public import Dispatch

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

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

    /// Carries the client's requests over a session of the app's own, such as a `URLSession` with a proxy, or one of a test.
    /// Default: see ``transport(_:)``, which is the simpler way; of the two, the later call counts.
    ///
    /// The session is asked from threads of the client's own, one call at a time. What it does with redirections is its own
    /// affair; `URLSessionTransport(configuration:)` takes them for answers.
    @discardableResult public func httpSession(_ httpSession: @autoclosure @escaping () -> any HTTPSession) -> Self {
        transport(HTTPSessionTransport(httpSession()))
    }

    /// Knows whether events may be sent now. Default: on Apple's systems, except watchOS, `NetworkConditions()`, so nothing is
    /// tried without a network and what waits leaves as soon as there is one again; elsewhere nothing stands in the way.
    ///
    /// Nil sends whenever it is time. Settings and live plugins are asked for regardless.
    @discardableResult public func uploadConditions(_ conditions: (any UploadConditions)?) -> Self {
        with { $0.conditions = .some(conditions) }
    }

    /// The value of `context.userAgent` in each event. Default: this library and the system that it runs on.
    @discardableResult public func userAgent(_ value: String?) -> Self { with { $0.userAgent = value } }

    /// The app's own object, which the client has no use for: it listens to the system's notifications.
    @available(*, deprecated, message: "the client needs no application object")
    @discardableResult public func application(_ value: Any?) -> Self { self }

    /// A queue for delivery, which the client has no use for: it has queues of its own.
    @available(*, deprecated, message: "the client delivers on queues of its own")
    @discardableResult public func flushQueue(_ queue: DispatchQueue) -> Self { self }
}

extension Configuration.Values {
    /// What the app says of it, else what the system knows of its network; nothing where the app brings its own transport.
    /// On watchOS a path says nothing: the system itself chooses how requests go.
    func makeConditions() -> (any UploadConditions)? {
        if let conditions { return conditions }
        #if canImport(Darwin) && !os(watchOS)
        return transport == nil ? NetworkConditions() : nil
        #else
        return nil
        #endif
    }

    /// The transport, behind the app's changes of requests.
    var requestTransport: any Transport {
        let transport = transport ?? SystemTransport()
        return requestFactory.map { ChangedTransport(transport, factory: $0) } ?? transport
    }
}
