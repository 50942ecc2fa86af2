import Foundation
import Hummingbird
import TributaryJSON

/// Reads the query of a request.
struct QueryReader {
    private let values: [String: String]

    init(_ request: Request) { self.init(query: request.uri.query ?? "") }

    /// Forms write a space as a plus; what is no valid encoding is taken as it stands. The first of equal names counts.
    init(query: String) {
        let pairs = query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decode(parts[0]), parts.count == 2 ? Self.decode(parts[1]) : "")
        }
        values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private static func decode(_ text: Substring) -> String {
        let text = text.replacing("+", with: " ")
        return String(text).removingPercentEncoding ?? String(text)
    }

    /// Newest first, unless the client asks for what comes after a sequence or names an order.
    func eventQuery(matching columns: [EventQuery.Match.Column]) throws(APIError) -> EventQuery {
        var query = EventQuery()
        query.after = try number("after")
        query.before = try number("before")
        query.since = try time("since")
        query.until = try time("until")
        query.limit = try limit()
        query.order = try order() ?? (query.after != nil ? .ascending : .descending)
        query.matches = columns.compactMap { column in
            text(column.rawValue).map { EventQuery.Match(column: column, value: $0) }
        }
        return query
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

    /// A moment: a timestamp of the protocol, a day, which begins at midnight in UTC, or milliseconds since 1970.
    func time(_ name: String) throws(APIError) -> Int64? {
        guard let text = text(name) else { return nil }
        guard let time = ISO8601.milliseconds(text) ?? ISO8601.milliseconds(text + "T00:00:00Z") ?? Int64(text) else {
            throw .badRequest("\(name) is a time as 2026-11-21T01:00:00Z or a day as 2026-11-21")
        }
        return time
    }

    private func order() throws(APIError) -> EventQuery.Order? {
        guard let text = text("order") else { return nil }
        guard let order = EventQuery.Order(rawValue: text) else { throw .badRequest("order is asc or desc") }
        return order
    }
}
