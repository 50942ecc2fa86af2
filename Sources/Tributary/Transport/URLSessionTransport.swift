import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests over `URLSession`, with redirects refused and a deadline that does not depend on the session.
///
/// Unchecked because the session is safe from any thread, the rest is constant.
public final class URLSessionTransport: Transport, @unchecked Sendable {
    private let session: URLSession
    private let answers = PlainAnswers()
    private let deadlines = DispatchQueue(label: "tributary.transport.deadlines")

    /// A transport with an ephemeral session: no cache, no cookies on disk.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 2
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration, delegate: answers, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    public func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let once = Once(completion)
        let number = LockBox(0)
        let task = session.dataTask(with: Self.urlRequest(request)) { [answers] data, response, error in
            let challenge = answers.takeChallenge(of: number.withLock { $0 })
            once.call(Self.result(data, challenge ?? response, error))
        }
        number.withLock { $0 = task.taskIdentifier }
        deadlines.asyncAfter(deadline: .now() + request.deadline) { [weak task] in
            once.call(.failure(TransportError("no answer within \(request.deadline) s", isTimeout: true)))
            task?.cancel()
        }
        task.resume()
    }

    private static func urlRequest(_ request: TransportRequest) -> URLRequest {
        var result = URLRequest(url: request.url, timeoutInterval: request.deadline)
        result.httpMethod = request.method
        result.httpBody = request.body.map { Data($0) }
        for (name, value) in request.headers { result.setValue(value, forHTTPHeaderField: name) }
        return result
    }

    private static func result(
        _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
    ) -> Result<TransportResponse, TransportError> {
        guard let response = response as? HTTPURLResponse else {
            let reason = error.map { "\($0.localizedDescription)" } ?? "no answer"
            return .failure(TransportError(reason, isTimeout: (error as? URLError)?.code == .timedOut))
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
        return .success(TransportResponse(status: response.statusCode, headers: headers, body: [UInt8](data ?? Data())))
    }
}

/// Calls its completion the first time only: deadline and answer may come together.
private final class Once: Sendable {
    typealias Completion = @Sendable (Result<TransportResponse, TransportError>) -> Void
    private let completion: LockBox<Completion?>

    init(_ completion: @escaping Completion) { self.completion = LockBox(completion) }

    func call(_ result: Result<TransportResponse, TransportError>) {
        let first = completion.withLock { completion -> Completion? in
            defer { completion = nil }
            return completion
        }
        first?(result)
    }
}

/// Keeps answers that a session would act upon as what they are: redirects and demands for a password.
///
/// A redirected POST would become a GET without its body. A demand for a password would, on Linux, leave the request
/// without any end, and when it is declined, without its status; so the answer that brought it is kept here.
private final class PlainAnswers: NSObject, URLSessionTaskDelegate, Sendable {
    private let challenges = LockBox<[Int: HTTPURLResponse]>([:])

    /// The answer that demanded a password of a task, once.
    func takeChallenge(of task: Int) -> HTTPURLResponse? {
        challenges.withLock { $0.removeValue(forKey: task) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // Without an answer it is about the connection (the server's certificate), which the system judges.
        guard let answer = challenge.failureResponse as? HTTPURLResponse else {
            return completionHandler(.performDefaultHandling, nil)
        }
        challenges.withLock { $0[task.taskIdentifier] = answer }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}
