#if canImport(CTributaryCurl)
import Dispatch
import Foundation

/// Requests that wait for a free connection to their server, in the order in which they came.
///
/// libcurl can keep such a queue too, but it sometimes leaves a request there although connections are idle.
struct OrderQueue {
    /// Requests that one server gets at once.
    private let limit: Int
    private var waiting: [CurlLoop.Order] = []
    /// The number of requests under way for each server.
    private var active: [String: Int] = [:]

    init(limit: Int = Limits.connectionsPerHost) { self.limit = limit }

    var isEmpty: Bool { waiting.isEmpty }
    var nextDeadline: DispatchTime? { waiting.lazy.map(\.deadline).min() }

    /// Takes a request.
    /// - Returns: whether it may begin now; otherwise it waits.
    mutating func begins(_ order: CurlLoop.Order) -> Bool {
        guard active[order.server, default: 0] < limit else {
            waiting.append(order)
            return false
        }
        active[order.server, default: 0] += 1
        return true
    }

    /// Takes note that a request has ended.
    /// - Returns: the request that begins in its place.
    mutating func ended(at server: String) -> CurlLoop.Order? {
        if let index = waiting.firstIndex(where: { $0.server == server }) { return waiting.remove(at: index) }
        active[server, default: 1] -= 1
        if active[server] == 0 { active[server] = nil }
        return nil
    }

    /// Removes and returns requests that have waited too long.
    mutating func overdue(at now: DispatchTime) -> [CurlLoop.Order] {
        guard let next = nextDeadline, next <= now else { return [] }
        let late = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        return late
    }
}

extension CurlLoop.Order {
    /// The scheme, host and port of the server.
    var server: String {
        let url = request.url
        return "\(url.scheme ?? "")://\(url.host ?? ""):\(url.port ?? 0)"
    }

    var timeout: TransportError { TransportError("no answer within \(request.deadline) s", isTimeout: true) }
}
#endif
