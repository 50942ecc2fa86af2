/// The rows that a query requests from a storage.
package struct RowQuery: Sendable {
    package enum List: Sendable, CaseIterable {
        case events, drops, signals, rejected
        /// Only the content of events, for a search.
        case bodies
        /// Events, traces and signals as they follow one another.
        case stream
    }

    package private(set) var list: List
    /// Rows with higher numbers, and with lower ones.
    package var after: Int64?
    package var before: Int64?
    package var order = EventQuery.Order.descending
    package var limit = Limits.defaultPageRows
    package var source: Int64?
    /// Only rows of these sources; all when nil.
    package var sources: Set<Int64>?
    package var matches: [EventQuery.Match] = []
    /// Only rows received at that time or later, and before that time; milliseconds since 1970.
    package var since: Int64?
    package var until: Int64?
    /// Only events that happened then; milliseconds since 1970. It is for `events` and `bodies`.
    package var happened: Range<Int64>?
    /// Only rows of these numbers; all when nil.
    package var numbers: [Int64]?
    /// How sources are called, for the texts of rows.
    package var writeKeys: [Int64: String] = [:]

    package init(_ list: List) { self.list = list }

    /// The same rows, of which only what the events say is wanted.
    package var bodies: RowQuery {
        var query = self
        query.list = .bodies
        return query
    }
}
