/// Rows that come from one range of the journal, to be stored together.
struct EventBlock: Sendable {
    /// Identifies the block: the epoch of the journal and its range. A storage that recognises repeated blocks instead
    /// of rows keeps it.
    struct Identity: Sendable, Hashable, CustomStringConvertible {
        let epoch: UInt64
        /// The watermark before the block, and the watermark after it is confirmed.
        let after: UInt64
        let through: UInt64

        var description: String { "\(String(epoch, radix: 16))-\(after)-\(through)" }
    }

    /// One row, with its number, and the day that it is kept in.
    struct Row: Sendable {
        let identity: RowIdentity
        let number: Int64
        let day: Day
        let receivedAt: Int64
        var content: Content

        /// The same row with another number.
        func numbered(_ number: Int64) -> Row {
            Row(identity: identity, number: number, day: day, receivedAt: receivedAt, content: content)
        }
    }

    enum Content: Sendable {
        case event(IncomingEvent), rejected(RejectedEvent), signal(IncomingSignal)
        /// With the time when its event arrived, if that is known.
        case trace(IncomingTrace, eventAt: Int64? = nil)
    }

    let identity: Identity
    let storedAt: Int64
    /// The write keys of the sources that rows are of, so that a storage can name the sources of its rows.
    var writeKeys: [Int64: String] = [:]
    var rows: [Row] = []

    /// The rows of each day, oldest first. Nearly always there is one.
    var days: [(day: Day, rows: [Row])] {
        guard let first = rows.first?.day else { return [] }
        if rows.indices.allSatisfy({ rows[$0].day == first }) { return [(first, rows)] }
        return Dictionary(grouping: rows, by: \.day).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
