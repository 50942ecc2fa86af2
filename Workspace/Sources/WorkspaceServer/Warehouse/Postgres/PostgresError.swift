import CLibPQ
import WorkspaceCore

/// An error of a database, or of the connection to it.
struct PostgresError: WarehouseError, Sendable, Equatable {
    /// The SQLSTATE; nil when the server did not say anything.
    let state: String?
    let message: String

    init(_ message: String) { self.init(message, state: nil) }

    init(_ message: String, state: String?) {
        self.state = state
        let line = message.split(whereSeparator: \.isNewline).map { $0.drop { $0.isWhitespace } }.joined(
            separator: "; ")
        self.message = String(line.prefix(Limits.warehouseError))
    }

    /// Source: PostgreSQL 15, Appendix A, "PostgreSQL Error Codes".
    var meaning: WarehouseErrorMeaning {
        switch state {
        case "23505"?: .hasRow
        case "0A000"?, "2BP01"?: .fixedColumn
        case "42P01"?, "42703"?, "42804"?, "42P07"?, "42701"?, "3F000"?, "42P10"?: .changedTables
        case let state? where state.hasPrefix("22") || state == "54000": .refusesRows
        default: .unavailable
        }
    }

    var text: String {
        guard let state else { return message }
        return "the database says \(state): \(message)\(Self.advice[state].map { "; \($0)" } ?? "")"
    }

    private static let advice = [
        "28P01": "set the right password with `tributary destination set NAME --secret-file FILE`",
        "28000": "the user may not log in this way; see pg_hba.conf and --tls",
        "3D000": "make the database first",
        "3F000": "make the schema, or let the user make it: GRANT CREATE ON DATABASE",
        "42501": "the user needs the right to make and change tables in the schema",
        "42P10": "a table of the schema has no unique index on its key; the destination needs a schema of its own",
        "53100": "the disk of the database is full",
        "57014": "it took longer than the timeout of the destination",
        "55P03": "another transaction holds the table",
    ]
}
