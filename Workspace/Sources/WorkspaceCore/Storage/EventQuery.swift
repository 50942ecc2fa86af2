/// The filter and the order of a list.
package struct EventQuery: Sendable, Equatable {
    package enum Order: String { case ascending = "asc", descending = "desc" }

    package var after: Int64?
    package var before: Int64?
    package var limit = Limits.defaultPageRows
    package var order = Order.descending
    /// Columns that must have exactly that value.
    package var matches: [Match] = []
    /// Conditions on the content of events; all have to hold.
    package var conditions: [JSONCondition] = []
    /// Only events received at that time or later, and before that time; milliseconds since 1970.
    package var since: Int64?
    package var until: Int64?

    package init(
        after: Int64? = nil, before: Int64? = nil, limit: Int = Limits.defaultPageRows, order: Order = Order.descending,
        matches: [Match] = [], conditions: [JSONCondition] = [], since: Int64? = nil, until: Int64? = nil
    ) {
        (self.after, self.before, self.limit, self.order) = (after, before, limit, order)
        (self.matches, self.conditions, self.since, self.until) = (matches, conditions, since, until)
    }

    package struct Match: Sendable, Equatable {
        package enum Column: String {
            case type, name, userId, anonymousId, writeKey

            /// The columns by which a query can choose events.
            package static let ofEvents: [Column] = [.type, .name, .userId, .anonymousId, .writeKey]
        }
        package let column: Column
        package let value: String

        package init(column: Column, value: String) { (self.column, self.value) = (column, value) }
    }
}
