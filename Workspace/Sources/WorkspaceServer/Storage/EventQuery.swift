/// The filter and the order of a list.
struct EventQuery: Sendable, Equatable {
    enum Order: String { case ascending = "asc", descending = "desc" }

    var after: Int64?
    var before: Int64?
    var limit = Limits.defaultPageRows
    var order = Order.descending
    /// Columns that must have exactly that value.
    var matches: [Match] = []
    /// Conditions on the content of events; all have to hold.
    var conditions: [JSONCondition] = []
    /// Only events received at that time or later, and before that time; milliseconds since 1970.
    var since: Int64?
    var until: Int64?

    struct Match: Sendable, Equatable {
        enum Column: String {
            case type, name, userId, anonymousId, writeKey

            /// The columns by which a query can choose events.
            static let ofEvents: [Column] = [.type, .name, .userId, .anonymousId, .writeKey]
        }
        let column: Column
        let value: String
    }
}
