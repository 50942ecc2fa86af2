import TributaryJSON
import WorkspaceCore

/// A message of the server to the process that answers a query in SQL.
///
/// The process answers each one with JSON before it reads the next: an empty object, an `error`, or the `result`.
package enum SQLMessage: Sendable, Equatable {
    /// The first message: the query, and the most rows of its answer. Without a query only the tables are listed.
    case begin(query: String?, rows: Int)
    /// Rows of the list of events, a line of JSON for each.
    case events([UInt8])
    /// All events came.
    case answer

    package var content: [UInt8] {
        switch self {
        case .begin(let query, let rows):
            [1] + JSON.object(["query": query.map(JSON.string) ?? .null, "rows": .number(rows)]).encoded()
        case .events(let lines): [2] + lines
        case .answer: [3]
        }
    }

    /// Nil for bytes that are no message.
    package init?(_ content: [UInt8]) {
        let rest = content.dropFirst()
        switch content.first {
        case 1:
            guard let json = try? JSON.parse(Array(rest)), let rows = json["rows"]?.intValue else { return nil }
            self = .begin(query: json["query"]?.stringValue, rows: Int(rows))
        case 2: self = .events(Array(rest))
        case 3 where rest.isEmpty: self = .answer
        default: return nil
        }
    }
}
