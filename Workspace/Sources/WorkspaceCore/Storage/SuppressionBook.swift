import GRDB
import Synchronization

/// The list of suppressed users and devices in memory, so that ingest asks no database. May be used from any thread.
package final class SuppressionBook: Sendable {
    private let state = Mutex((list: SuppressionList(), refused: 0))

    package var list: SuppressionList { state.withLock { $0.list } }

    /// How many events, signals and traces were not stored since the start.
    package var refused: Int { state.withLock { $0.refused } }

    package init() {}

    package func noteRefused(_ count: Int) { if count > 0 { state.withLock { $0.refused += count } } }

    /// Reads the list after a change.
    package func load(from store: Store) async throws {
        let list = try await store.pool.read(Store.suppressionList)
        state.withLock { $0.list = list }
    }

    /// Reads the list at the start.
    package func begin(with store: Store) throws {
        let list = try store.pool.read(Store.suppressionList)
        state.withLock { $0.list = list }
    }
}

extension SuppressionCheck {
    /// Whether a row of a block is not to be stored.
    package mutating func refuses(_ row: EventBlock.Row) -> Bool {
        switch row.content {
        case .event(let event): refuses(event)
        case .signal(let signal): refuses(signal)
        case .trace(let trace, _): refuses(trace)
        case .rejected(let rejected): refuses(rejected, receivedAt: row.receivedAt)
        }
    }
}
