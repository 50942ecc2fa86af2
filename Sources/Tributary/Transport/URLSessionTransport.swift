import Dispatch

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends requests with `URLSession`. Redirects are refused, answers are bounded, and the deadline does not depend on
/// the session: when it passes, the connection is closed.
///
/// Unchecked because the session is safe from any thread, and the rest is constant.
public final class URLSessionTransport: Transport, @unchecked Sendable {
    private let session: URLSession
    private let exchanges: Exchanges
    private let deadlines = DispatchQueue(label: "tributary.transport.deadlines")
    private let time = SystemTimeSource()

    /// A transport with an ephemeral session: no cache, no cookies on disk.
    public convenience init() { self.init(delegate: nil) }

    /// - Parameter delegate: decides about certificates.
    package convenience init(delegate: (any URLSessionDelegate)?) {
        self.init(delegate, connections: Limits.connectionsPerHost)
    }

    /// - Parameter connections: to one server at a time.
    convenience init(connections: Int) { self.init(nil, connections: connections) }

    private convenience init(_ delegate: (any URLSessionDelegate)?, connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.httpShouldSetCookies = false
        self.init(configuration, delegate)
    }

    /// A transport with a session of the app's configuration, for instance with a proxy, protocol classes, or only over
    /// Wi-Fi.
    public convenience init(configuration: URLSessionConfiguration) { self.init(configuration, nil) }

    private init(_ configuration: URLSessionConfiguration, _ delegate: (any URLSessionDelegate)?) {
        exchanges = Exchanges(delegate: delegate)
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    public func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let once = Once(completion)
        let task = session.dataTask(with: URLRequest(request))
        let deadline = time.schedule(after: request.deadline, on: deadlines) { [weak task, exchanges] in
            guard let task else { return }
            let isFirst = once.call(
                .failure(TransportError("no answer within \(request.deadline) s", isTimeout: true)))
            guard isFirst else { return }
            exchanges.forget(task)
            task.cancel()
        }
        exchanges.begin(task, limit: request.answerLimit) { result in
            if once.call(result) { deadline.cancel() }
        }
        task.resume()
    }
}

/// The requests under way, as the session reports them.
///
/// A session would act on some answers, but here they stay answers. A redirected POST would become a GET without its
/// body. On Linux a demand for a password would leave the request without an end, and declining it would lose the
/// status. So the answer with the demand is kept here.
///
/// Unchecked because everything is constant or behind the lock, and the app's delegate is called as a session calls it.
private final class Exchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private struct Exchange {
        let limit: TransportRequest.AnswerLimit
        let completion: @Sendable (Result<TransportResponse, TransportError>) -> Void
        var body: [UInt8] = []
        /// The answer with a demand for a password.
        var challenge: HTTPURLResponse?
        /// Whether the body is longer than the limit.
        var isFull = false

        /// - Returns: whether the limit is reached.
        mutating func take(_ data: Data) -> Bool {
            guard !isFull else { return false }
            let room = limit.bytes - body.count
            body.append(contentsOf: data.prefix(room))
            isFull = data.count > room
            return isFull
        }
    }

    private let open = LockBox<[Int: Exchange]>([:])
    /// The app's delegate, which decides about certificates.
    private let delegate: (any URLSessionDelegate)?

    init(delegate: (any URLSessionDelegate)?) { self.delegate = delegate }

    func begin(
        _ task: URLSessionTask, limit: TransportRequest.AnswerLimit,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        open.withLock { $0[task.taskIdentifier] = Exchange(limit: limit, completion: completion) }
    }

    func forget(_ task: URLSessionTask) { open.withLock { _ = $0.removeValue(forKey: task.taskIdentifier) } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isFull = open.withLock { open -> Bool in
            open[dataTask.taskIdentifier]?.take(data) ?? false
        }
        if isFull { end(dataTask, nil) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end(task, error)
    }

    private func end(_ task: URLSessionTask, _ error: (any Error)?) {
        guard let exchange = open.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        exchange.completion(Self.result(exchange, exchange.challenge ?? task.response, error))
        if exchange.isFull { task.cancel() }
    }

    private static func result(
        _ exchange: Exchange, _ response: URLResponse?, _ error: (any Error)?
    ) -> Result<TransportResponse, TransportError> {
        if let error, exchange.challenge == nil {
            return .failure(
                TransportError("\(error.localizedDescription)", isTimeout: (error as? URLError)?.code == .timedOut))
        }
        guard let response = response as? HTTPURLResponse else { return .failure(TransportError("no answer")) }
        if exchange.isFull, case .whole(let bytes) = exchange.limit {
            return .failure(TransportError("the answer has more than \(bytes) bytes"))
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
        return .success(TransportResponse(status: response.statusCode, headers: headers, body: exchange.body))
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
        // Without an answer, the demand is about the connection (the server's certificate).
        guard let answer = challenge.failureResponse as? HTTPURLResponse else {
            return judge(session, challenge, completionHandler)
        }
        open.withLock { $0[task.taskIdentifier]?.challenge = answer }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    /// Passes a decision about the connection to the app, else to the system.
    private func judge(
        _ session: URLSession, _ challenge: URLAuthenticationChallenge,
        _ completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let delegate else { return completionHandler(.performDefaultHandling, nil) }
        #if canImport(ObjectiveC)
        let call: Void? = delegate.urlSession?(session, didReceive: challenge, completionHandler: completionHandler)
        if call == nil { completionHandler(.performDefaultHandling, nil) }
        #else
        delegate.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
        #endif
    }
}
