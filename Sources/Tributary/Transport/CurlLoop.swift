#if canImport(CCurl)
import CCurl
import Dispatch
import Foundation

/// The thread that all requests of a transport run on, and the way to it.
///
/// The thread is there while there are requests, and some time longer for the sake of their connections.
final class CurlLoop: Sendable {
    /// A request that waits for the thread.
    struct Order: Sendable {
        let request: TransportRequest
        let deadline: DispatchTime
        /// Whose certificates are believed; nil for those that the system believes.
        let authorities: String?
        let completion: @Sendable (Result<TransportResponse, TransportError>) -> Void
    }

    private struct Shared {
        var orders: [Order] = []
        var isRunning = false
        var isReleased = false
        /// What the thread waits with; nil while there is no thread, or it does not wait yet.
        var multi: CurlMulti.Handle?
    }

    private let shared = LockBox(Shared())
    private let idleSeconds: TimeInterval
    private let authorities: String?

    init(idleSeconds: TimeInterval, authorities: String?) {
        self.idleSeconds = idleSeconds
        self.authorities = authorities
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

    /// Ends the thread when the requests that it has are through.
    func release() {
        shared.withLock { shared in
            shared.isReleased = true
            wake(shared)
        }
    }

    /// Under the lock only, because the thread takes the handle back under it before it frees it.
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
        var multi = CurlLibrary.gate.pass { CurlMulti() }
        guard let handle = multi?.handle else { return failAll() }
        shared.withLock { $0.multi = handle }
        var idleSince = DispatchTime.now()
        while CurlLibrary.gate.pass({ advance(&multi, &idleSince) }) {
            multi?.wait(until: multi?.nextDeadline ?? idleSince + idleSeconds)
        }
        CurlLibrary.gate.pass(CurlLibrary.endThread)
    }

    /// - Returns: false, with everything given back, when there is nothing to do any more.
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

    /// - Returns: false when a request has come meanwhile.
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
        for order in orders { order.completion(.failure(TransportError("libcurl does not start"))) }
    }

    /// A write to a connection that the server has closed is an error, whatever TLS library libcurl was built with. And no
    /// handler of the app's runs here: one that ends the process would wait for this thread. What a fault raises goes through.
    private static func refuseSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// A number of seconds that a clock can be moved by.
    private static func bounded(_ seconds: TimeInterval) -> TimeInterval {
        seconds > 0 ? min(seconds, Limits.longestDeadline) : 0
    }
}
#endif
