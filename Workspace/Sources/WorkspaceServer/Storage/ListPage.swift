/// A part of a list, and where the next part begins.
struct ListPage: Sendable {
    var rows: [[UInt8]] = []
    /// The value of `after` or `before` for the next page; nil when this was the last one.
    var next: Int64?
    /// How far the search is that the page is of; nil when rows were found by an index.
    var search: Search?

    /// How far a search is that looks at one row after the other.
    struct Search: Sendable, Equatable {
        /// The last row that was looked at; nil when there was none.
        var last: Int64?
        /// Rows that were looked at for the page.
        var looked = 0
        /// Rows that are left behind the page, at most.
        var left = 0
    }
}
