import Synchronization

/// How far an erasure has come, for those who watch it.
final class LatestProgress: Sendable {
    private let state = Mutex(ErasureProgress())

    var value: ErasureProgress { state.withLock { $0 } }

    func set(_ progress: ErasureProgress) { state.withLock { $0 = progress } }
}
