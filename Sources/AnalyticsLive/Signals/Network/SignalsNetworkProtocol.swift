public import Foundation
import Tributary

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Makes a `NetworkSignal` of each request of an app's sessions, and of each response.
///
/// `useNetworkAutoSignal` registers this class, which captures `URLSession.shared`. For other sessions, the app calls
/// `configuration.captureSignals()` before it makes the session. docs/guides/signal-capture.md says which requests
/// it captures.
public class SignalsNetworkProtocol: URLProtocol {
    /// Converts a body to a dictionary; nil leaves the body out. Called on the session's threads.
    public typealias BodyDeserializer = @Sendable (Data) -> [String: Any]?

    private static let flag = "tributary.signals.captured"
    private var load: (any NetworkLoad)?

    /// The index of the captured configuration of the request; nil for the configuration of `URLSession.shared`.
    class var place: Int? { nil }

    private static var sessions: LoadingSession { place.map(CapturedSessions.shared.session) ?? .shared }

    /// Reads the bodies of a media type. By default, bodies of `application/json` become `content`, and other text
    /// becomes `body`. Secrets are removed from the result.
    public static func addDeserializer(for contentType: String, deserializer: @escaping BodyDeserializer) {
        NetworkCapture.shared.add(deserializer, for: contentType)
    }

    public override class func canInit(with request: URLRequest) -> Bool {
        guard property(forKey: flag, in: request) == nil else { return false }
        if NetworkRegistration.isChanging(for: request) { return true }
        return NetworkCapture.shared.captures(request.url) && isLoadable(request)
    }

    #if canImport(Darwin)
    /// Some tasks are not captured: tasks with bodies that would have to pass through this class, and tasks with more than
    /// one exchange.
    public override class func canInit(with task: URLSessionTask) -> Bool {
        guard task is URLSessionDataTask, !(task is URLSessionUploadTask), let request = task.currentRequest else {
            return false
        }
        return (request.httpBody != nil || request.httpBodyStream == nil) && canInit(with: request)
    }

    private static func isLoadable(_ request: URLRequest) -> Bool { true }
    #else
    private static func isLoadable(_ request: URLRequest) -> Bool { NativeLoad.type(for: request) != nil }
    #endif

    public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    public override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { a == b }

    public override func startLoading() {
        if load == nil { load = makeLoad() }
        load?.start()
    }

    public override func stopLoading() {
        #if !canImport(Darwin)
        // A task that is cancelled before it began expects its protocol to end it.
        if load == nil { load = NativeLoad(self, capture: nil) }
        #endif
        load?.stop()
    }

    private func makeLoad() -> (any NetworkLoad)? {
        #if canImport(Darwin)
        let body = task?.originalRequest?.httpBody
        return SessionLoad(
            self, body: body, capture: NetworkCapture.shared.begin(request, body: body), sessions: Self.sessions)
        #else
        return NativeLoad(self, capture: NetworkCapture.shared.begin(request))
        #endif
    }

    /// The request with a mark, so that it is not captured a second time.
    static func flagged(_ request: URLRequest) -> URLRequest {
        guard let marked = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return request }
        setProperty(true, forKey: flag, in: marked)
        return marked as URLRequest
    }

    /// The request without that mark.
    static func unflagged(_ request: URLRequest) -> URLRequest {
        guard let marked = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return request }
        removeProperty(forKey: flag, in: marked)
        return marked as URLRequest
    }
}
