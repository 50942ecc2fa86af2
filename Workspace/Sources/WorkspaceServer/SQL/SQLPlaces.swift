import Synchronization
import WorkspaceCore

/// Who asks in SQL now. A pure value.
struct SQLPlaces: Sendable, Equatable {
    private var holders: [SharedSlots.Holder] = []

    init() {}

    /// - Throws: `Refusal` when a query of the holder runs, and when as many run as may.
    mutating func take(_ holder: SharedSlots.Holder) throws(Refusal) {
        guard !holders.contains(holder) else {
            throw .overloaded("a query of yours is under way; cancel it, or wait for its end")
        }
        guard holders.count < Limits.sqlQueries else {
            throw .overloaded("\(Limits.sqlQueries) queries run now, which is the most; try again later")
        }
        holders.append(holder)
    }

    mutating func leave(_ holder: SharedSlots.Holder) { holders.removeAll { $0 == holder } }
}

/// The places for queries of a server.
final class SQLPlaceList: Sendable {
    /// One place. It is given back once: when it is no longer needed, or at the latest with the object.
    final class Loan: Sendable {
        private let end: @Sendable () -> Void
        private let isOver = Mutex(false)

        fileprivate init(end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { giveBack() }

        func giveBack() {
            let isFirst = isOver.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
            if isFirst { end() }
        }
    }

    private let places = Mutex(SQLPlaces())

    /// - Throws: `Refusal` when there is no place.
    func lend(to holder: SharedSlots.Holder) throws(Refusal) -> Loan {
        try places.withLock { places throws(Refusal) in try places.take(holder) }
        return Loan { [self] in places.withLock { $0.leave(holder) } }
    }
}
