/// Rows that come from one range of the journal, to be stored together.
package struct EventBlock: Sendable {
    /// Identifies the block: the epoch of the journal and its range. A storage that recognises repeated blocks instead
    /// of rows keeps it.
    package struct Identity: Sendable, Hashable, CustomStringConvertible {
        package let epoch: UInt64
        /// The watermark before the block, and the watermark after it is confirmed.
        package let after: UInt64
        package let through: UInt64

        package init(epoch: UInt64, after: UInt64, through: UInt64) {
            (self.epoch, self.after, self.through) = (epoch, after, through)
        }

        package var description: String { "\(String(epoch, radix: 16))-\(after)-\(through)" }
    }

    /// One row, with its number, and the day that it is kept in.
    package struct Row: Sendable {
        package let identity: RowIdentity
        package let number: Int64
        package let day: Day
        package let receivedAt: Int64
        package var content: Content

        package init(identity: RowIdentity, number: Int64, day: Day, receivedAt: Int64, content: Content) {
            (self.identity, self.number, self.day) = (identity, number, day)
            (self.receivedAt, self.content) = (receivedAt, content)
        }

        /// The same row with another number.
        package func numbered(_ number: Int64) -> Row {
            Row(identity: identity, number: number, day: day, receivedAt: receivedAt, content: content)
        }
    }

    package enum Content: Sendable {
        case event(IncomingEvent), rejected(RejectedEvent), signal(IncomingSignal)
        /// With the time when its event arrived, if that is known.
        case trace(IncomingTrace, eventAt: Int64? = nil)
    }

    package let identity: Identity
    package let storedAt: Int64
    /// The write keys of the sources that rows are of, so that a storage can name the sources of its rows.
    package var writeKeys: [Int64: String] = [:]
    package var rows: [Row] = []

    package init(identity: Identity, storedAt: Int64, writeKeys: [Int64: String] = [:], rows: [Row] = []) {
        (self.identity, self.storedAt, self.writeKeys, self.rows) = (identity, storedAt, writeKeys, rows)
    }

    /// The rows of each day, oldest first. Nearly always there is one.
    package var days: [(day: Day, rows: [Row])] {
        guard let first = rows.first?.day else { return [] }
        if rows.indices.allSatisfy({ rows[$0].day == first }) { return [(first, rows)] }
        return Dictionary(grouping: rows, by: \.day).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
