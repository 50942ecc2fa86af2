#if canImport(CTributaryCurl)
import CTributaryCurl
import Dispatch
import Foundation

/// The thread that runs all requests of a transport, and the queue to it.
///
/// The thread lives while there are requests, and some time longer to keep their connections.
final class CurlLoop: Sendable {
    /// A request that waits for the thread.
    struct Order: Sendable {
        let request: TransportRequest
        let deadline: DispatchTime
        /// The file with trusted certificates; nil for those of the system.
        let authorities: String?
        let completion: @Sendable (Result<TransportResponse, TransportError>) -> Void
    }

    private struct Shared {
        var orders: [Order] = []
        var isRunning = false
        var isReleased = false
        /// The handle that the thread waits with; nil while there is no thread, or while it does not wait yet.
        var multi: CurlMulti.Handle?
    }

    private let shared = LockBox(Shared())
    private let idleSeconds: TimeInterval
    private let authorities: String?
    private let connections: Int

    init(idleSeconds: TimeInterval, authorities: String?, connections: Int) {
        self.idleSeconds = idleSeconds
        self.authorities = authorities
        self.connections = connections
    }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let order = Order(
            request: request, deadline: .now() + Self.bounded(request.deadline), authorities: authorities,
            completion: completion)
        let isFirst = shared.withLock { shared -> Bool in
            shared.orders.append(order)
            defer { shared.isRunning = true }
            wake(shared)
            return !shared.isRunning
        }
        if isFirst { startThread() }
    }

    /// Ends the thread when its requests are done.
    func release() {
        shared.withLock { shared in
            shared.isReleased = true
            wake(shared)
        }
    }

    /// Only under the lock: the thread takes the handle back under the lock before it frees it.
    private func wake(_ shared: Shared) {
        if let multi = shared.multi { curl_multi_wakeup(multi) }
    }

    private func startThread() {
        guard CurlLibrary.isGuarded else { return failAll() }
        let thread = Thread { self.run() }
        thread.name = "tributary.curl"
        thread.start()
    }

    private func run() {
        Self.refuseSignals()
        var multi = CurlLibrary.gate.pass { CurlMulti(connections: connections) }
        guard let handle = multi?.handle else { return failAll() }
        shared.withLock { $0.multi = handle }
        var idleSince = DispatchTime.now()
        while CurlLibrary.gate.pass({ advance(&multi, &idleSince) }) {
            multi?.wait(until: multi?.nextDeadline ?? idleSince + idleSeconds)
        }
        CurlLibrary.gate.pass(CurlLibrary.endThread)
    }

    /// - Returns: false, with everything released, when there is nothing left to do.
    private func advance(_ work: inout CurlMulti?, _ idleSince: inout DispatchTime) -> Bool {
        guard let multi = work else { return false }
        let (orders, isReleased) = shared.withLock { shared in
            defer { shared.orders = [] }
            return (shared.orders, shared.isReleased)
        }
        for order in orders { multi.take(order) }
        multi.advance()
        let now = DispatchTime.now()
        if !multi.isIdle { idleSince = now }
        guard multi.isIdle, isReleased || now >= idleSince + idleSeconds, stop() else { return true }
        work = nil
        return false
    }

    /// - Returns: false when a request has arrived meanwhile.
    private func stop() -> Bool {
        shared.withLock { shared in
            guard shared.orders.isEmpty else { return false }
            shared.multi = nil
            shared.isRunning = false
            return true
        }
    }

    private func failAll() {
        let orders = shared.withLock { shared in
            defer { shared.orders = [] }
            shared.isRunning = false
            return shared.orders
        }
        for order in orders { order.completion(.failure(TransportError("libcurl could not be set up"))) }
    }

    /// Blocks signals on this thread. A write to a connection that the server has closed then is an error, with every
    /// TLS library. And no signal handler of the app runs here: one that ends the process would wait for this thread.
    /// Signals of a fault are not blocked.
    private static func refuseSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Seconds that can be added to a clock without overflow.
    private static func bounded(_ seconds: TimeInterval) -> TimeInterval {
        seconds > 0 ? min(seconds, Limits.longestDeadline) : 0
    }
}
#endif
