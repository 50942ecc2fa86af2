import Foundation
import GRDB

extension CatalogTally {
    /// Takes events away from the catalog, before they are deleted. Numbers that no event has are passed over.
    static func subtract(_ numbers: [Int64], _ db: Database) throws {
        let list = numbers.map(String.init).joined(separator: ",")
        var tally = try CatalogTally(db, .removing)
        let rows = try Row.fetchCursor(db, sql: "\(selection) WHERE sequence IN (\(list))")
        while let row = try rows.next() { try tally.count(row) }
        try tally.write()
    }

    /// Makes the counts of all events, for rows that came into the database by another way.
    static func rebuild(_ db: Database) throws {
        // The known names are not used: the catalog of a saved day takes the most frequent names.
        for table in DaySchema.catalogTables { try db.execute(sql: "DELETE FROM \(table)") }
        var tally = try CatalogTally(db, .adding)
        let rows = try Row.fetchCursor(db, sql: "\(selection) ORDER BY sequence")
        while let row = try rows.next() { try tally.count(row) }
        try tally.write()
    }

    private static let selection =
        "SELECT source, type, \(WholeText.columns(["name"], of: "event")), receivedAt, body FROM event"

    private mutating func count(_ row: Row) throws {
        guard let type = EventType(rawValue: try row.decode(String.self, forColumn: "type")) else { return }
        let body = [UInt8](try row.decode(Data.self, forColumn: "body"))
        try count(
            CountedName(type, name: try row.wholeText("name")), of: try row.decode(Int64.self, forColumn: "source"),
            receivedAt: try row.decode(Int64.self, forColumn: "receivedAt"), body, try? ScannedBody.of(body))
    }
}
