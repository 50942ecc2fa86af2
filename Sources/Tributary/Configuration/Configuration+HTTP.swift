public import Dispatch

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension Configuration {
    /// Changes each request before it is sent, for instance its address or its header fields. Default: requests are
    /// sent unchanged.
    ///
    /// The closure is called on the client's threads, for settings, batches and live plugins. The client takes over
    /// address, method, header fields, body and timeout of the returned request.
    @discardableResult public func requestFactory(
        _ factory: @escaping @Sendable (_ request: URLRequest) -> URLRequest
    ) -> Self {
        with { $0.requestFactory = factory }
    }

    /// Sends the client's requests through a session of the app, such as a `URLSession` with a proxy. ``transport(_:)``
    /// is the simpler way; of the two, the later call counts.
    ///
    /// The client calls the session on its own threads, one call at a time. The session decides what to do with
    /// redirections; `URLSessionTransport(configuration:)` returns them as answers.
    @discardableResult public func httpSession(_ httpSession: @autoclosure @escaping () -> any HTTPSession) -> Self {
        transport(HTTPSessionTransport(httpSession()))
    }

    /// Decides whether events may be sent now. Default on Apple's systems except watchOS: `NetworkConditions()`, which
    /// sends nothing without a network and sends waiting events as soon as there is one. Default elsewhere: events may
    /// always be sent.
    ///
    /// Nil removes the condition. Settings and live plugins are fetched in any case.
    @discardableResult public func uploadConditions(_ conditions: (any UploadConditions)?) -> Self {
        with { $0.conditions = .some(conditions) }
    }

    /// The value of `context.userAgent` in each event. Default: the names and versions of library and system.
    @discardableResult public func userAgent(_ value: String?) -> Self { with { $0.userAgent = value } }

    /// Takes the app's object and ignores it; the client listens to the system's notifications.
    @available(*, deprecated, message: "the client needs no application object")
    @discardableResult public func application(_ value: Any?) -> Self { self }

    /// Takes a queue for delivery and ignores it; the client has queues of its own.
    @available(*, deprecated, message: "the client delivers on queues of its own")
    @discardableResult public func flushQueue(_ queue: DispatchQueue) -> Self { self }
}

extension Configuration.Values {
    /// The app's conditions, else those of the system's network. There are none when the app has a transport of its
    /// own, nor on watchOS, where the system chooses how requests travel.
    func makeConditions() -> (any UploadConditions)? {
        if let conditions { return conditions }
        #if canImport(Darwin) && !os(watchOS)
        return transport == nil ? NetworkConditions() : nil
        #else
        return nil
        #endif
    }

    /// The transport, with the app's changes of requests.
    var requestTransport: any Transport {
        // A held request must not hold up a delivery.
        let transport =
            transport ?? SystemTransport(connections: Limits.connectionsPerHost + (settingsPush ? 1 : 0))
        return requestFactory.map { ChangedTransport(transport, factory: $0) } ?? transport
    }
}

/// The default transport of a client: `URLSession` on Apple's systems, libcurl on Linux.
#if canImport(CTributaryCurl)
public typealias SystemTransport = CurlTransport
#else
public typealias SystemTransport = URLSessionTransport
#endif
