/// A part of a list, and where the next part begins.
package struct ListPage: Sendable {
    package var rows: [[UInt8]] = []
    /// The value of `after` or `before` for the next page; nil when this was the last one.
    package var next: Int64?
    /// How far the search is that the page is of; nil when rows were found by an index.
    package var search: Search?

    package init(rows: [[UInt8]] = [], next: Int64? = nil, search: Search? = nil) {
        (self.rows, self.next, self.search) = (rows, next, search)
    }

    /// How far a search is that looks at one row after the other.
    package struct Search: Sendable, Equatable {
        /// The last row that was looked at; nil when there was none.
        package var last: Int64?
        /// Rows that were looked at for the page.
        package var looked = 0
        /// Rows that are left behind the page, at most.
        package var left = 0
    }
}
