import Foundation
import Hummingbird
import TributaryJSON

/// Reads the query of a request.
struct QueryReader {
    private let pairs: [(name: String, value: String)]
    private let values: [String: String]

    init(_ request: Request) { self.init(query: request.uri.query ?? "") }

    /// Forms write a space as a plus; what is no valid encoding is taken as it stands. The first of equal names counts.
    init(query: String) {
        pairs = query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decode(parts[0]), parts.count == 2 ? Self.decode(parts[1]) : "")
        }
        values = Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private static func decode(_ text: Substring) -> String {
        let text = text.replacing("+", with: " ")
        return String(text).removingPercentEncoding ?? String(text)
    }

    /// Newest first, unless the client asks for what comes after a sequence or names an order.
    /// - Parameter types: what `type` may be. An empty list would hide a misspelt one.
    func eventQuery(
        matching columns: [EventQuery.Match.Column], types: [String] = EventType.allCases.map(\.rawValue)
    ) throws(APIError) -> EventQuery {
        var query = EventQuery()
        query.after = try number("after")
        query.before = try number("before")
        query.limit = try limit()
        query.order = try order() ?? (query.after != nil ? .ascending : .descending)
        query.matches = columns.compactMap { column in
            text(column.rawValue).map { EventQuery.Match(column: column, value: $0) }
        }
        if let type = query.matches.first(where: { $0.column == .type })?.value, !types.contains(type) {
            throw .badRequest("there is no type \(type); it is one of \(types.joined(separator: ", "))")
        }
        query.since = try time("since")
        query.until = try time("until")
        return query
    }

    /// What events must say: each `where` of the query, all of which have to hold.
    func conditions() throws(APIError) -> [JSONCondition] {
        let texts = pairs.filter { $0.name == "where" && !$0.value.isEmpty }.map(\.value)
        guard texts.count <= Limits.conditions else {
            throw .badRequest("a list has at most \(Limits.conditions) conditions")
        }
        var conditions: [JSONCondition] = []
        for text in texts { conditions.append(try JSONCondition(text)) }
        return conditions
    }

    /// A time as events have it, or milliseconds since 1970; nil when it is missing or empty.
    func time(_ name: String) throws(APIError) -> Int64? {
        guard let text = text(name) else { return nil }
        guard let time = EventTime.milliseconds(text) ?? Int64(text) else {
            throw .badRequest("\(name) must be a time such as 2026-11-21T08:00:00Z, or a day")
        }
        return time
    }

    /// A parameter; nil when it is missing or empty.
    func text(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// How many rows are asked for.
    func limit() throws(APIError) -> Int {
        guard let limit = try number("limit") else { return Limits.defaultPageRows }
        guard (1...Int64(Limits.pageRows)).contains(limit) else {
            throw .badRequest("limit is a number from 1 to \(Limits.pageRows)")
        }
        return Int(limit)
    }

    /// A number that is not negative; nil when it is missing or empty.
    func number(_ name: String) throws(APIError) -> Int64? {
        guard let text = text(name) else { return nil }
        guard let value = Int64(text), value >= 0 else { throw .badRequest("\(name) must be a number") }
        return value
    }

    private func order() throws(APIError) -> EventQuery.Order? {
        guard let text = text("order") else { return nil }
        guard let order = EventQuery.Order(rawValue: text) else { throw .badRequest("order is asc or desc") }
        return order
    }
}
