/// What a node does next with the log of health reports.
enum HealthLogStep: Sendable, Equatable {
    /// It has counted all of it.
    case current
    /// It counts the records from a place on.
    case read(from: UInt64)
    /// The log ends too early. Servers that just chose who leads may say so, so it looks again.
    case wait
    /// It goes on behind a record, and does not count what was between.
    case begin(behind: UInt64, Reason)

    enum Reason: Sendable, Equatable {
        /// The node has counted nothing before.
        case new
        /// The log was deleted and made again.
        case madeAgain
        /// The records behind the last one that was counted are not kept any more.
        case dropped
        /// The log lost records that were acknowledged.
        case wentBack
    }

    /// Looks at a log that ends too early, until that is believed.
    static let shortLooks = 20

    /// - Parameters:
    ///   - known: how far the node is; nil before it has begun.
    ///   - shortLooks: how often in a row the log ended too early before.
    init(_ known: HealthLogPlace?, _ standing: LogStanding, shortLooks: Int) {
        guard let known else {
            self = .begin(behind: standing.first - 1, .new)
            return
        }
        self =
            if known.incarnation != standing.incarnation {
                .begin(behind: standing.first - 1, .madeAgain)
            } else if standing.last < known.place {
                shortLooks < Self.shortLooks ? .wait : .begin(behind: standing.last, .wentBack)
            } else if standing.last == known.place {
                .current
            } else if standing.first > known.place + 1 {
                .begin(behind: standing.first - 1, .dropped)
            } else {
                .read(from: known.place + 1)
            }
    }
}
