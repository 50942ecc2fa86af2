import Synchronization
import WorkspaceCore

/// The progress of an erasure, for requests that ask for it.
final class LatestProgress: Sendable {
    private let state = Mutex(ErasureProgress())

    var value: ErasureProgress { state.withLock { $0 } }

    func set(_ progress: ErasureProgress) { state.withLock { $0 = progress } }

    /// Adds what was erased besides the days.
    func add(_ erased: Erased) { state.withLock { $0.erased = $0.erased + erased } }
}
