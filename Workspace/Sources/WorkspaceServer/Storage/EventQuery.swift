/// Which rows of a list are wanted, and in which order.
struct EventQuery: Sendable, Equatable {
    enum Order: String { case ascending = "asc", descending = "desc" }

    var after: Int64?
    var before: Int64?
    var limit = Limits.defaultPageRows
    var order = Order.descending
    /// Columns that must have exactly that value.
    var matches: [Match] = []
    /// What the texts of clients must say, all of it.
    var conditions: [JSONCondition] = []
    /// Only what was received then or later, and what was received before then; milliseconds since 1970.
    var since: Int64?
    var until: Int64?

    struct Match: Sendable, Equatable {
        enum Column: String {
            case type, name, userId, anonymousId, writeKey

            /// Those that events can be chosen by.
            static let ofEvents: [Column] = [.type, .name, .userId, .anonymousId, .writeKey]
        }
        let column: Column
        let value: String
    }
}
