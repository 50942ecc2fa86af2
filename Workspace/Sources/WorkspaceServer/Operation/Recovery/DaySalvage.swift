import Foundation
import GRDB

/// Takes what can be read of a day that was set aside into the database of that day.
///
/// The file keeps its place and gets another name when that is done, so that it is not done again: rows that are erased
/// later must not come back.
struct DaySalvage {
    static let doneSuffix = ".saved"

    let folder: DataFolder
    let day: Day
    /// The name of the file in `unreadable`.
    let name: String

    /// The day that a file was set aside for; nil when it is none of a day, or was dealt with.
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
            return tables.filter { DaySchema.tables.contains($0.name) }
        }
        try folder.markSaved(name)
        return tables
    }
}

extension DataFolder {
    /// Gives a file that was set aside, and its log, the names of files that were dealt with.
    func markSaved(_ name: String) throws {
        for path in Self.paths(ofDatabase: unreadablePath + "/" + name) {
            guard FileManager.default.fileExists(atPath: path) else { continue }
            try FileManager.default.moveItem(atPath: path, toPath: path + DaySalvage.doneSuffix)
        }
        try FolderMaking.sync(unreadablePath)
    }
}
