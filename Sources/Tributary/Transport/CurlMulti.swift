#if canImport(CTributaryCurl)
import CTributaryCurl
import Dispatch

/// The requests under way and their connections. For one thread only.
final class CurlMulti {
    typealias Handle = UnsafeMutableRawPointer

    let handle: Handle
    private var exchanges: [UnsafeMutableRawPointer: CurlExchange] = [:]
    private var queue: OrderQueue
    /// The queue for completions, so that a slow one holds up no request.
    private let answers = DispatchQueue(label: "tributary.curl.answers", attributes: .concurrent)

    var isIdle: Bool { exchanges.isEmpty && queue.isEmpty }
    var nextDeadline: DispatchTime? {
        (exchanges.values.map(\.deadline) + [queue.nextDeadline].compactMap { $0 }).min()
    }

    /// Nil when libcurl cannot be set up.
    /// - Parameter connections: to one server at a time.
    init?(connections: Int) {
        guard CurlLibrary.isReady, let handle = curl_multi_init() else { return nil }
        self.handle = handle
        queue = OrderQueue(limit: connections)
        tributary_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, Limits.idleConnections)
    }

    deinit {
        for exchange in exchanges.values { curl_multi_remove_handle(handle, exchange.handle) }
        curl_multi_cleanup(handle)
    }

    /// Takes a request. It begins when a connection to its server is free.
    func take(_ order: CurlLoop.Order) {
        if queue.begins(order), !begin(order) { beginNext(at: order.server) }
    }

    /// - Returns: false when the request has already failed and was answered.
    private func begin(_ order: CurlLoop.Order) -> Bool {
        do {
            let exchange = try CurlExchange(order)
            let code = curl_multi_add_handle(handle, exchange.handle)
            guard code == CURLM_OK else { throw TransportError(String(cString: curl_multi_strerror(code))) }
            exchanges[exchange.handle] = exchange
            return true
        } catch {
            finish(order.completion, .failure(error as? TransportError ?? TransportError("\(error)")))
            return false
        }
    }

    /// Advances the requests as far as possible, and ends requests that are answered or overdue.
    func advance() {
        var running: Int32 = 0
        let code = curl_multi_perform(handle, &running)
        var result = CURLE_OK
        while let ended = tributary_curl_next_ended(handle, &result) {
            if let exchange = exchanges[ended] { end(exchange, exchange.result(result)) }
        }
        let now = DispatchTime.now()
        for order in queue.overdue(at: now) { finish(order.completion, .failure(order.timeout)) }
        for exchange in exchanges.values {
            if code != CURLM_OK {
                end(exchange, .failure(TransportError(String(cString: curl_multi_strerror(code)))))
            } else if exchange.deadline <= now {
                end(exchange, .failure(exchange.timeout))
            }
        }
    }

    /// Waits until there is something to do, or until that time.
    func wait(until moment: DispatchTime) {
        let now = DispatchTime.now().uptimeNanoseconds
        guard moment.uptimeNanoseconds > now else { return }
        let milliseconds = (moment.uptimeNanoseconds - now) / 1_000_000 + 1
        curl_multi_poll(handle, nil, 0, Int32(min(milliseconds, 3_600_000)), nil)
    }

    private func end(_ exchange: CurlExchange, _ result: Result<TransportResponse, TransportError>) {
        exchanges[exchange.handle] = nil
        finish(exchange.completion, result)
        curl_multi_remove_handle(handle, exchange.handle)
        beginNext(at: exchange.server)
    }

    private func beginNext(at server: String) {
        while let order = queue.ended(at: server), !begin(order) {}
    }

    private func finish(
        _ completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void,
        _ result: Result<TransportResponse, TransportError>
    ) {
        answers.async { completion(result) }
    }
}
#endif
