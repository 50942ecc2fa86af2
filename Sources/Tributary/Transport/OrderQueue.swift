#if canImport(CCurl)
import Dispatch
import Foundation

/// Requests that wait until a connection to their server may be used, in the order in which they came.
///
/// libcurl can keep such a queue too, but sometimes leaves a request in it although connections are idle.
struct OrderQueue {
    private var waiting: [CurlLoop.Order] = []
    /// Requests under way, by server.
    private var active: [String: Int] = [:]

    var isEmpty: Bool { waiting.isEmpty }
    var nextDeadline: DispatchTime? { waiting.lazy.map(\.deadline).min() }

    /// Takes a request in.
    /// - Returns: whether it may begin now; else it waits.
    mutating func begins(_ order: CurlLoop.Order) -> Bool {
        guard active[order.server, default: 0] < Limits.connectionsPerHost else {
            waiting.append(order)
            return false
        }
        active[order.server, default: 0] += 1
        return true
    }

    /// A request has ended.
    /// - Returns: the one that begins in its place.
    mutating func ended(at server: String) -> CurlLoop.Order? {
        if let index = waiting.firstIndex(where: { $0.server == server }) { return waiting.remove(at: index) }
        active[server, default: 1] -= 1
        if active[server] == 0 { active[server] = nil }
        return nil
    }

    /// Takes out those that have waited for too long.
    mutating func overdue(at now: DispatchTime) -> [CurlLoop.Order] {
        guard let next = nextDeadline, next <= now else { return [] }
        let late = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        return late
    }
}

extension CurlLoop.Order {
    /// Scheme, host and port of the server.
    var server: String {
        let url = request.url
        return "\(url.scheme ?? "")://\(url.host ?? ""):\(url.port ?? 0)"
    }

    var timeout: TransportError { TransportError("no answer within \(request.deadline) s", isTimeout: true) }
}
#endif
