import Foundation
import GRDB
import WorkspaceCore

/// Copies the readable rows of a day in `unreadable` into the database of that day.
///
/// Afterwards the file gets another name at its place, so that this is not repeated: rows that are erased later must
/// not come back.
struct DaySalvage {
    static let doneSuffix = ".saved"

    let folder: DataFolder
    let day: Day
    /// The name of the file in `unreadable`.
    let name: String

    /// The day of a file in `unreadable`; nil when it is not a day, or was copied already.
    static func day(ofFile name: String) -> Day? {
        guard name.hasSuffix(".sqlite") else { return nil }
        // A second file of that day has a number before it.
        return Day(name.dropLast(".sqlite".count).suffix("0000-00-00".count))
    }

    func run() throws -> [Salvage.Table] {
        let file = folder.unreadablePath + "/" + name
        let pool = try DayFiles.open(folder.path(of: day))
        defer { try? pool.closeWhole() }
        let tables = try pool.write { db in
            var salvage = try Salvage(into: db)
            let tables = try salvage.copy(DaySchema.tables + ["source", "erasure"], from: try SQLitePages(path: file))
            for table in DaySchema.tables {
                try db.execute(sql: "INSERT OR IGNORE INTO source SELECT DISTINCT source, '' FROM \(table)")
            }
            try DayMentions.rebuild(db)
            try CatalogTally.rebuild(db)
            try DaySchema.revise(db)
            return tables.filter { DaySchema.tables.contains($0.name) }
        }
        try folder.markSaved(name)
        return tables
    }
}

extension DataFolder {
    /// Renames a file and its log after they were copied.
    func markSaved(_ name: String) throws {
        for path in Self.paths(ofDatabase: unreadablePath + "/" + name) {
            guard FileManager.default.fileExists(atPath: path) else { continue }
            try FileManager.default.moveItem(atPath: path, toPath: path + DaySalvage.doneSuffix)
        }
        try AtomicFolder.sync(unreadablePath)
    }
}
