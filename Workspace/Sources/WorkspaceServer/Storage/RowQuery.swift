/// Which rows a storage is asked for.
struct RowQuery: Sendable {
    enum List: Sendable, CaseIterable {
        case events, drops, signals, rejected
        /// Only what an event says, for those who look through many.
        case bodies
        /// Events, traces and signals as they follow one another.
        case stream
    }

    let list: List
    /// Rows with higher numbers, and with lower ones.
    var after: Int64?
    var before: Int64?
    var order = EventQuery.Order.descending
    var limit = Limits.defaultPageRows
    var source: Int64?
    var matches: [EventQuery.Match] = []
    /// Only what was received then or later, and what was received before then; milliseconds since 1970.
    var since: Int64?
    var until: Int64?
    /// How sources are called, for the texts of rows.
    var writeKeys: [Int64: String] = [:]

    init(_ list: List) { self.list = list }
}
