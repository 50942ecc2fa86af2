import Foundation
package import GRDB

/// Writes which rows of a day name which users.
package struct DayMentions {
    private let statement: BoundStatement

    package init(_ db: Database) throws {
        statement = try BoundStatement(
            db, sql: "INSERT OR IGNORE INTO mention (part, userId, kind, number) VALUES (?, ?, ?, ?)")
    }

    /// - Parameters:
    ///   - ids: the ids under which the row can be found.
    ///   - userId: the id with a column of its own, which has an index.
    package func insert(_ ids: [String], of kind: RowIdentity.Kind, _ number: Int64, besides userId: String? = nil)
        throws
    {
        for id in Self.entries(ids) where userId.map({ !$0.isSameText(as: id) }) ?? true {
            try statement.bind(number / DaySchema.rowsOfIndexPart, at: 1)
            try statement.bind(id, at: 2)
            try statement.bind(Int64(kind.rawValue), at: 3)
            try statement.bind(number, at: 4)
            try statement.run()
        }
    }

    /// The ids under which a row with that body may stand.
    package static func ids(_ body: [UInt8]) -> [String] { ids(try? ScannedBody.of(body)) }

    /// - Parameter body: nil for one that is no JSON: it may name anybody.
    package static func ids(_ body: ScannedBody?) -> [String] { body?.ids ?? [""] }

    /// The ids that get an entry. A row that names very many users has one entry for all, so that it costs no more than
    /// others; an erasure reads such a row to find its users.
    package static func entries(_ ids: [String]) -> [String] { ids.count > Limits.mentionsOfRow ? [""] : ids }

    /// Makes the mentions of all rows, for rows that came into the database by another way.
    package static func rebuild(_ db: Database) throws {
        let mentions = try DayMentions(db)
        for kind in RowIdentity.Kind.allCases {
            let rows = try Row.fetchCursor(db, sql: "SELECT sequence, body FROM \(DaySchema.table(of: kind))")
            while let row = try rows.next() {
                let ids = ids([UInt8](try row.decode(Data.self, atIndex: 1)))
                try mentions.insert(ids, of: kind, row.decode(Int64.self, atIndex: 0))
            }
        }
    }
}
