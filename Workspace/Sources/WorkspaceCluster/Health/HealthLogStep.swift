import WorkspaceCore
import WorkspaceServer

/// A node's next step with the log of health reports.
enum HealthLogStep: Sendable, Equatable {
    /// Nothing: it has counted the whole log.
    case current
    /// It counts the records from a place on.
    case read(from: UInt64)
    /// The log ends too early. A server that was cut off or just started may say so, so it looks again.
    case wait
    /// It goes on after that record, and does not count the records in between.
    case begin(behind: UInt64, Reason)

    enum Reason: Sendable, Equatable {
        /// The node has counted nothing before.
        case new
        /// The log was deleted and made again.
        case madeAgain
        /// The log has dropped the records after the last one that was counted.
        case dropped
        /// The log lost records that were acknowledged.
        case wentBack
    }

    /// Milliseconds for which the log has to end too early before the node believes it.
    static let patience: Int64 = 10_000

    /// - Parameters:
    ///   - known: the node's progress; nil before it has begun.
    ///   - shortFor: the milliseconds for which the log has ended too early; 0 when it did not before.
    init(_ known: HealthLogOffset?, _ standing: LogRange, shortFor: Int64) {
        guard let known else {
            self = .begin(behind: standing.first - 1, .new)
            return
        }
        self =
            if known.incarnation != standing.incarnation {
                .begin(behind: standing.first - 1, .madeAgain)
            } else if standing.last < known.place {
                shortFor < Self.patience ? .wait : .begin(behind: standing.last, .wentBack)
            } else if standing.last == known.place {
                .current
            } else if standing.first > known.place + 1 {
                .begin(behind: standing.first - 1, .dropped)
            } else {
                .read(from: known.place + 1)
            }
    }
}
