import WorkspaceCore

/// Reads the filter of a list of events from its query.
extension QueryReader {
    /// Newest first, unless the client names an order or a sequence after which to begin.
    /// - Parameter types: the allowed values of `type`. Without the check, an empty list would hide a misspelt one.
    func eventQuery(
        matching columns: [EventQuery.Match.Column], types: [String] = EventType.allCases.map(\.rawValue)
    ) throws(Refusal) -> EventQuery {
        var query = EventQuery()
        query.after = try number("after")
        query.before = try number("before")
        query.limit = try limit()
        query.order = try order() ?? (query.after != nil ? .ascending : .descending)
        query.matches = columns.compactMap { column in
            text(column.rawValue).map { EventQuery.Match(column: column, value: $0) }
        }
        if let type = query.matches.first(where: { $0.column == .type })?.value, !types.contains(type) {
            throw .invalid("there is no type \(type); it is one of \(types.joined(separator: ", "))")
        }
        query.since = try time("since")
        query.until = try time("until")
        return query
    }

    /// The conditions on the content of events: each `where` of the query, all of which have to hold.
    func conditions() throws(Refusal) -> [JSONCondition] {
        let texts = texts("where")
        guard texts.count <= Limits.conditions else {
            throw .invalid("a list has at most \(Limits.conditions) conditions")
        }
        var conditions: [JSONCondition] = []
        for text in texts { conditions.append(try JSONCondition(text)) }
        return conditions
    }

    private func order() throws(Refusal) -> EventQuery.Order? {
        guard let text = text("order") else { return nil }
        guard let order = EventQuery.Order(rawValue: text) else { throw .invalid("order is asc or desc") }
        return order
    }
}
