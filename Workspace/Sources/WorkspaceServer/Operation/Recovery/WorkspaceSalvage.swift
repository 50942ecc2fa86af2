import Foundation
import GRDB
import TributaryJournal
import WorkspaceCore

/// Makes a database for a workspace with a damaged or missing database.
struct WorkspaceSalvage {
    let folder: DataFolder

    private static let tables = [
        "source", "sourceKey", "bundle", "filterSet", "administrator", "namedToken", "audit", "indexed", "position",
        "sweep", "retention", "day", "destination", "undelivered", "deletionRequest", "replay", "counter", "healthHour",
        "rollout", "notice", "alertRule", "savedView", "boardLink", "functionVersion",
        "suppression",
        // Digests of suppressed users are made with it.
        SettingsTables.healthKey,
    ]

    /// The index of messages is made from the days, not saved. Operators have to log in again.
    /// - Parameter file: the old database, in the folder `unreadable`; nil when there is none.
    func run(from file: String?) throws -> [Salvage.Table] {
        let numbers = try highestNumbers()
        try setMessagesAside()
        let pool = try Store.open(folder)
        defer { try? pool.closeWhole() }
        let tables = try pool.write { db in
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            var tables: [Salvage.Table] = []
            if let file {
                try db.execute(sql: "DELETE FROM position; DELETE FROM healthKey")
                var salvage = try Salvage(into: db)
                tables = try salvage.copy(Self.tables, from: try SQLitePages(path: folder.unreadablePath + "/" + file))
                try db.execute(sql: "INSERT OR IGNORE INTO position VALUES (1, 0, 0)")
                try db.execute(sql: "INSERT OR IGNORE INTO healthKey VALUES (1, randomblob(32))")
                // The index is made from the days, so it does not have the lost messages.
                try db.execute(sql: "UPDATE day SET lostMessages = 0")
            }
            try db.execute(
                sql: "UPDATE position SET stream = max(stream, ?), rejected = max(rejected, ?)",
                arguments: [numbers.stream, numbers.rejected])
            try SourceAdoption(path: folder.path).run(db)
            try Self.removeOrphans(db)
            return tables
        }
        if let file { try folder.markSaved(file) }
        return tables
    }

    /// The new database names none of the files of message ids.
    private func setMessagesAside() throws {
        guard FileManager.default.fileExists(atPath: folder.messagesPath) else { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.messagesPath) {
            _ = try folder.setAside([folder.messagesPath + "/" + name])
        }
    }

    /// Removes rows that belong to a lost source or destination.
    private static func removeOrphans(_ db: Database) throws {
        for table in [
            "bundle", "filterSet", "counter", "sourceKey", "destination", "healthHour", "rollout", "functionVersion",
        ] {
            try db.execute(sql: "DELETE FROM \(table) WHERE source NOT IN (SELECT id FROM source)")
        }
        for table in ["undelivered", "deletionRequest", "replay"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE destination NOT IN (SELECT id FROM destination)")
        }
    }

    /// The highest row number in the days, for the case that the confirmed one is lost. A damaged day is skipped. A day
    /// that cannot be read at present is an error, because its numbers would be used twice.
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
