#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Carries requests in the place of a `URLSession`, for `Configuration.httpSession(_:)`.
public protocol HTTPSession {
    /// A request that is under way.
    associatedtype DataTaskType: DataTask
    /// A request with a body that is under way.
    associatedtype UploadTaskType: UploadTask

    /// A request whose body, if it has one, is in a file. The client itself has no use for it.
    func uploadTask(
        with request: URLRequest, fromFile file: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> UploadTaskType
    /// A request with a body: batches.
    func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> UploadTaskType
    /// A request without a body: settings and live plugins.
    func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> DataTaskType
    /// Called when the client does not need the session any more.
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
