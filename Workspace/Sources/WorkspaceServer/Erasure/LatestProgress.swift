import Synchronization
import WorkspaceCore

/// The progress of an erasure, for requests that ask for it.
final class LatestProgress: Sendable {
    private let state = Mutex(ErasureProgress())

    var value: ErasureProgress { state.withLock { $0 } }

    func set(_ progress: ErasureProgress) { state.withLock { $0 = progress } }
}
