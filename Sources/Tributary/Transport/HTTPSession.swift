#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Carries requests in place of a `URLSession`, for `Configuration.httpSession(_:)`.
public protocol HTTPSession {
    /// A request that is under way.
    associatedtype DataTaskType: DataTask
    /// A request with a body that is under way.
    associatedtype UploadTaskType: UploadTask

    /// Makes a request with its body, if any, in a file. The client itself does not use it.
    func uploadTask(
        with request: URLRequest, fromFile file: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> UploadTaskType
    /// Makes a request with a body: for batches.
    func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> UploadTaskType
    /// Makes a request without a body: for settings and live plugins.
    func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> DataTaskType
    /// Called when the client no longer needs the session.
    func finishTasksAndInvalidate()
}

/// A request of an ``HTTPSession``.
public protocol DataTask {
    /// The state of the task.
    var state: URLSessionTask.State { get }
    /// Begins the request.
    func resume()
}

/// A request of an ``HTTPSession`` with a body.
public protocol UploadTask: DataTask {}

extension URLSessionDataTask: DataTask {}
extension URLSessionUploadTask: UploadTask {}
extension URLSession: HTTPSession {}

/// Sessions that the library makes.
public enum HTTPSessions {
    /// An ephemeral `URLSession`: no cache, no cookies on disk, two connections to a host.
    public static func urlSession() -> any HTTPSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = Limits.connectionsPerHost
        return URLSession(configuration: configuration)
    }
}
