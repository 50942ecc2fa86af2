/// The rows that a query requests from a storage.
struct RowQuery: Sendable {
    enum List: Sendable, CaseIterable {
        case events, drops, signals, rejected
        /// Only the content of events, for a search.
        case bodies
        /// Events, traces and signals as they follow one another.
        case stream
    }

    private(set) var list: List
    /// Rows with higher numbers, and with lower ones.
    var after: Int64?
    var before: Int64?
    var order = EventQuery.Order.descending
    var limit = Limits.defaultPageRows
    var source: Int64?
    var matches: [EventQuery.Match] = []
    /// Only rows received at that time or later, and before that time; milliseconds since 1970.
    var since: Int64?
    var until: Int64?
    /// Only rows of these numbers; all when nil.
    var numbers: [Int64]?
    /// How sources are called, for the texts of rows.
    var writeKeys: [Int64: String] = [:]

    init(_ list: List) { self.list = list }

    /// The same rows, of which only what the events say is wanted.
    var bodies: RowQuery {
        var query = self
        query.list = .bodies
        return query
    }
}
