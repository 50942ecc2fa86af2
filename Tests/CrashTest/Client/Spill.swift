import Tributary

/// Whether the inbox is kept in memory right now, as seen from its file operations.
///
/// It begins when the disk refuses a record, and is over when the disk takes the next one. An event of which the ledger
/// has no `stored` line may be missing after a crash only when one of these times touched its call.
final class Spill: Sendable {
    struct State: Sendable, Equatable {
        var isActive = false
        /// Grows with each beginning, so that one that came and went during a call is noticed.
        var beginnings = 0
    }

    private let state = LockBox(State())
    private let ledger: Ledger

    init(ledger: Ledger) { self.ledger = ledger }

    var current: State { state.withLock { $0 } }

    func refused() {
        let isFirst = state.withLock { state in
            state.beginnings += 1
            defer { state.isActive = true }
            return !state.isActive
        }
        if isFirst { ledger.append(.spilling) }
    }

    func taken() {
        let wasActive = state.withLock { state in
            defer { state.isActive = false }
            return state.isActive
        }
        if wasActive { ledger.append(.returned) }
    }

    /// Makes a call and tells whether the inbox was in memory at any time of it.
    func touches(_ call: () -> Void) -> Bool {
        let before = current
        call()
        return before.isActive || before != current
    }
}
