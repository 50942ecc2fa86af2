package import GRDB

/// The versions of the tables that a program can bring up to date.
package struct SchemaHistory: Sendable {
    /// The oldest version that can be read.
    package let oldest: Int
    /// The statements that make the tables of that version.
    package let tables: [String]
    /// The first one makes the version behind the oldest of it, and so on.
    package let steps: [String]

    package var version: Int { oldest + steps.count }

    package var readable: ClosedRange<Int> { oldest...version }

    /// Makes the tables in a file that has none, and brings older ones up to date.
    package func prepare(_ db: Database) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard found < version else { return }
        try db.inTransaction {
            if found == 0 { for statement in tables { try db.execute(sql: statement) } }
            for step in steps.dropFirst(max(0, found - oldest)) { try db.execute(sql: step) }
            if found > 0 { try writeRowsAgain(db) }
            try db.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }

    /// A row that is older than a column does not hold its value, and SQLite reads the default. A recording of a change would
    /// take that for NULL, and the change would fit on no node.
    private func writeRowsAgain(_ db: Database) throws {
        for table in SettingsTables.shared {
            guard let column = try db.columns(in: table).first?.name else { continue }
            try db.execute(sql: "UPDATE \(table) SET \(column) = \(column)")
        }
    }
}
