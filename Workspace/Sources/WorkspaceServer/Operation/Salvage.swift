import Foundation
import GRDB

/// Saves the rows of a damaged table that can still be read.
struct Salvage {
    let from: Database
    let to: Database

    /// Copies a table from its beginning up to the damage, and from its end down to it. Rows that are there already stay.
    /// - Parameter key: what the rows lie in the order of.
    /// - Returns: how many rows were copied.
    func copy(_ table: String, by key: String = "rowid") throws -> Int {
        let columns = try to.columns(in: table).map(\.name)
        return try copy(table, columns, "\(key) ASC") + copy(table, columns, "\(key) DESC")
    }

    private func copy(_ table: String, _ columns: [String], _ order: String) throws -> Int {
        let names = columns.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let insert = try to.makeStatement(sql: "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(marks))")
        var count = 0
        // By the place in the file, which no index is asked for: it may be what is damaged.
        let query = "SELECT \(names) FROM \(table) NOT INDEXED ORDER BY \(order)"
        guard let rows = Self.readable({ try Row.fetchCursor(from, sql: query) }) else { return 0 }
        while let row = Self.readable({ try rows.next() }) ?? nil {
            do {
                try insert.execute(arguments: StatementArguments(row.databaseValues))
                count += to.changesCount
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                // What it belongs to is lost, or it is garbage itself.
            }
        }
        return count
    }

    /// Nil where the damage begins: whatever reading says of it, there is no more to be had from here.
    private static func readable<Value>(_ read: () throws -> Value) -> Value? {
        do { return try read() } catch { return nil }
    }

    /// Reads a database that was set aside, as far as it can be opened at all.
    /// - Throws: what went wrong while the new one was written; that is no damage of the old one.
    static func read(_ aside: String, _ save: (Database) throws -> Void) throws {
        var failure: (any Error)?
        do {
            try DatabaseState.read(aside) { old in
                do { try save(old) } catch { failure = error }
            }
        } catch {
            // Not even its beginning can be read, so nothing of it can be saved.
        }
        if let failure { throw failure }
    }
}

/// Makes a new file for a damaged day.
struct DaySalvage {
    let folder: DataFolder
    let day: Day

    /// - Returns: how many rows were saved.
    func run() throws -> Int {
        let aside = folder.path + "/" + (try folder.setAside(folder.paths(of: day)))
        let pool = try DayFiles.open(folder.path(of: day))
        defer { try? pool.closeWhole() }
        return try pool.write { new in
            var count = 0
            try Salvage.read(aside) { old in
                for table in DaySchema.tables { count += try Salvage(from: old, to: new).copy(table) }
            }
            return count
        }
    }
}

/// Makes a new database for a workspace whose own is damaged.
struct WorkspaceSalvage {
    let folder: DataFolder

    private static let tables = [
        "source", "bundle", "administrator", "audit", "indexed", "position", "sweep", "destination",
    ]

    /// What was seen is not saved but made anew of the days, and who was logged in logs in again.
    func run() throws {
        let aside = folder.path + "/" + (try folder.setAside(DataFolder.paths(ofDatabase: folder.databasePath)))
        let numbers = try highestNumbers()
        let pool = try Store.open(folder)
        defer { try? pool.closeWhole() }
        try pool.write { new in
            try new.execute(sql: "DELETE FROM position")
            try Salvage.read(aside) { old in
                let salvage = Salvage(from: old, to: new)
                for table in Self.tables { _ = try salvage.copy(table) }
                _ = try salvage.copy("counter", by: "source")
                _ = try salvage.copy("sourceKey", by: "key")
                _ = try salvage.copy("undelivered", by: "destination")
            }
            try new.execute(
                sql: "INSERT OR IGNORE INTO position VALUES (1, ?, ?)", arguments: [numbers.stream, numbers.rejected])
        }
    }

    /// What stands in the days, for the case that how far they were confirmed is lost. A damaged day says nothing; one
    /// that cannot be read now is an error, because its numbers would be given away twice.
    private func highestNumbers() throws -> RowNumbers {
        try folder.dayFiles().reduce(RowNumbers()) { numbers, day in
            do {
                let extent = try DatabaseState.read(folder.path(of: day), DayExtent.init)
                return .max(
                    numbers,
                    RowNumbers(stream: extent.stream?.upperBound ?? 0, rejected: extent.rejected?.upperBound ?? 0))
            } catch let error as DatabaseError where error.isDamage {
                return numbers
            }
        }
    }
}
