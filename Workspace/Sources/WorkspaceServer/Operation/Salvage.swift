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
        do {
            // By the place in the file, which no index is asked for: it may be what is damaged.
            let rows = try Row.fetchCursor(from, sql: "SELECT \(names) FROM \(table) NOT INDEXED ORDER BY \(order)")
            while let row = try rows.next() {
                do {
                    try insert.execute(arguments: StatementArguments(row.databaseValues))
                    count += to.changesCount
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                    // What it belongs to is lost, or it is garbage itself.
                }
            }
        } catch let error as DatabaseError where error.isDamage || error.resultCode == .SQLITE_ERROR {
            // So far and no further. `SQLITE_ERROR`: not even the table is known any more.
        }
        return count
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
            // Not even the beginning of a file may be readable.
            _ = try? DatabaseState.read(aside) { old in
                for table in DaySchema.tables { count += try Salvage(from: old, to: new).copy(table) }
            }
            return count
        }
    }
}

/// Makes a new database for a workspace whose own is damaged.
struct WorkspaceSalvage {
    let folder: DataFolder

    private static let tables = ["source", "bundle", "administrator", "audit", "indexed", "position", "sweep"]

    /// What was seen is not saved but made anew of the days, and who was logged in logs in again.
    func run() throws {
        let aside = folder.path + "/" + (try folder.setAside(DataFolder.paths(ofDatabase: folder.databasePath)))
        let numbers = try highestNumbers()
        let pool = try Store.open(folder)
        defer { try? pool.closeWhole() }
        try pool.write { new in
            try new.execute(sql: "DELETE FROM position")
            _ = try? DatabaseState.read(aside) { old in
                let salvage = Salvage(from: old, to: new)
                for table in Self.tables { _ = try salvage.copy(table) }
                _ = try salvage.copy("counter", by: "source")
                _ = try salvage.copy("sourceKey", by: "key")
            }
            try new.execute(
                sql: "INSERT OR IGNORE INTO position VALUES (1, ?, ?)", arguments: [numbers.stream, numbers.rejected])
        }
    }

    /// What stands in the days, for the case that how far they were confirmed is lost.
    private func highestNumbers() throws -> RowNumbers {
        try folder.dayFiles().reduce(RowNumbers()) { numbers, day in
            guard let extent = try? DatabaseState.read(folder.path(of: day), DayExtent.init) else { return numbers }
            return .max(
                numbers, RowNumbers(stream: extent.stream?.upperBound ?? 0, rejected: extent.rejected?.upperBound ?? 0))
        }
    }
}
