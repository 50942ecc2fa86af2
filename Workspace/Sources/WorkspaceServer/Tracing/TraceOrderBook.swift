import Synchronization
import WorkspaceCore

/// The orders to trace the events of users and devices. They are in memory, because an order serves an operator who
/// watches now: the next process of the server has none. May be used from any thread.
final class TraceOrderBook: Sendable {
    private let orders = Mutex<[Int64: [TraceOrder]]>([:])

    /// Whether no source has an order. Then ingest need not look for the users of events.
    var isEmpty: Bool { orders.withLock(\.isEmpty) }

    /// The orders of a source that are not over.
    func open(of source: Int64, at now: Int64) -> [TraceOrder] {
        orders.withLock { orders in
            let open = (orders[source] ?? []).filter { now < $0.until }
            orders[source] = open.isEmpty ? nil : open
            return open
        }
    }

    /// Takes an order, in place of an earlier one for the same events.
    /// - Throws: when the source has too many.
    func place(_ order: TraceOrder, of source: Int64, at now: Int64) throws(Refusal) {
        let isPlaced = orders.withLock { orders in
            let others = (orders[source] ?? []).filter { now < $0.until && $0.subject != order.subject }
            guard others.count < Limits.traceOrders else { return false }
            orders[source] = others + [order]
            return true
        }
        guard isPlaced else {
            throw Refusal(.conflict, "a source has at most \(Limits.traceOrders) orders to trace at a time")
        }
    }

    /// Ends an order; does nothing when there is none.
    func end(_ subject: TraceSubject, of source: Int64) {
        orders.withLock { orders in
            let others = (orders[source] ?? []).filter { $0.subject != subject }
            orders[source] = others.isEmpty ? nil : others
        }
    }
}
