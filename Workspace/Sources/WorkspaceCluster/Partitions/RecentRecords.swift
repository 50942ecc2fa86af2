import Synchronization
import WorkspaceCore
import WorkspaceServer

/// The records that the owner of a partition read last, which it stores a moment later. Reading them a second time would cost the
/// log and the node as much as the first time.
final class RecentRecords: Sendable {
    private let records = Mutex<[LogRecord]>([])

    func keep(_ new: [LogRecord]) { records.withLock { $0 = new } }

    /// Removes and returns the records of a range; empty when some of them are not here.
    func take(_ range: ClosedRange<UInt64>) -> [LogRecord] {
        records.withLock { records in
            defer { records = [] }
            guard records.first?.place == range.lowerBound, records.count >= range.count else { return [] }
            return Array(records.prefix(range.count))
        }
    }
}
