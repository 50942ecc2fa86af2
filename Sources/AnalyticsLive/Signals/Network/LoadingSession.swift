import Foundation
import Tributary

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An inner session that captured requests go through, so that they share connections: one for each configuration.
///
/// Unchecked because the session is safe from any thread; the loads are behind their lock.
final class LoadingSession: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    static let shared = LoadingSession(.default)

    private let loads = LockBox<[Int: SessionLoad]>([:])
    private let configuration: URLSessionConfiguration
    private lazy var session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
    private let queue = OperationQueue()

    /// - Parameter configuration: the configuration of the sessions that send their requests through this one.
    init(_ configuration: URLSessionConfiguration) {
        self.configuration = Self.uncaptured(configuration)
        super.init()
        queue.maxConcurrentOperationCount = 1
        // Made at once, because two threads could begin a lazy one at the same time.
        _ = session
    }

    /// A copy without the capture.
    private static func uncaptured(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
        copy.protocolClasses = copy.protocolClasses?.filter { !($0 is SignalsNetworkProtocol.Type) }
        return copy
    }

    /// A task that was not started yet.
    func begin(_ request: URLRequest, for load: SessionLoad) -> URLSessionTask {
        loads.withLock { loads in
            let task = session.dataTask(with: request)
            loads[task.taskIdentifier] = load
            return task
        }
    }

    /// Returns when all calls of the session so far were handled.
    func idle() async {
        await withCheckedContinuation { done in queue.addOperation { done.resume() } }
    }

    private func load(_ task: URLSessionTask) -> SessionLoad? { loads.withLock { $0[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        load(dataTask)?.take(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let load = load(dataTask) else { return }
        guard load.isOver else { return load.take(data) }
        Self.cancel(dataTask)
    }

    /// Ends a task that needs no answer. On Linux only tests call this, and a task that is cancelled at its very
    /// end ends the process, so it does nothing there.
    static func cancel(_ task: URLSessionTask) {
        #if canImport(Darwin)
        task.cancel()
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        loads.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The answer comes first: on Linux a task that is cancelled meanwhile must not be answered.
        completionHandler(nil)
        load(task)?.redirect(to: request, response)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
        guard let load = load(task) else { return completionHandler(.performDefaultHandling, nil) }
        let sender = ChallengeAnswer(completionHandler)
        load.challenge(URLAuthenticationChallenge(authenticationChallenge: challenge, sender: sender))
        #else
        // On Linux only tests run this, and there the server's certificate is the only question.
        completionHandler(.performDefaultHandling, nil)
        #endif
    }
}
