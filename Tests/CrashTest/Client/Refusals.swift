import Tributary

/// How often the disk refused something of the inbox.
///
/// An event of which the ledger has no `stored` line may be missing after a crash only when the client said, before or
/// after its call, that what is tracked does not survive the process, or when the disk refused something meanwhile.
final class Refusals: Sendable {
    private let count = LockBox(0)

    func add() { count.withLock { $0 += 1 } }

    /// Makes a call and tells whether what it tracked may be in memory only.
    func touch(_ analytics: Analytics, _ call: () -> Void) -> Bool {
        let count = count.withLock { $0 }
        let wasLasting = analytics.storageState.survivesProcess
        call()
        return !wasLasting || !analytics.storageState.survivesProcess || self.count.withLock { $0 } != count
    }
}
