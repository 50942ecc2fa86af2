import Synchronization
import WorkspaceCore
import WorkspaceServer

/// Holds the index of a partition for the work that makes it and uses it, one piece after the other.
final class PartitionIndexBox: Sendable {
    private let index = Mutex(PartitionIndex([:], window: 0))

    var value: PartitionIndex {
        get { index.withLock { $0 } }
        set { index.withLock { $0 = newValue } }
    }

    func add(_ rows: [RowIdentity: MessageLocation]) { index.withLock { $0.add(rows) } }
}
