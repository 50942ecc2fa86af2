import Foundation
import GRDB
import TributaryJournal
import WorkspaceCore

/// Adds the sources that days and waiting requests name and the database of the workspace does not know.
struct SourceAdoption {
    /// The data folder.
    let path: String

    /// The unknown sources, with their write keys; the key is empty when no file has it.
    func unknown(_ db: Database) throws -> [Int64: String] {
        var named: [Int64: String] = [:]
        for day in try DataFolder.dayFiles(in: path + "/days") {
            do {
                let sources = try DatabaseState.read("\(path)/days/\(day).sqlite", DayExtent.sources)
                named.merge(sources) { $0.isEmpty ? $1 : $0 }
            } catch let error as DatabaseError where error.isDamage {
                // A damaged day was repaired or reported before.
            }
        }
        if FileManager.default.fileExists(atPath: path + "/journal") {
            let copy = try JournalCopy(of: path + "/journal")
            for source in try JournalComparison.sources(in: copy.journal) { named[source] = named[source] ?? "" }
        }
        let known = try Store.writeKeys(db)
        return named.filter { known[$0.key] == nil }
    }

    /// - Returns: the write keys that the sources have now.
    @discardableResult
    func run(_ db: Database) throws -> [String] {
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let unknown = try unknown(db)
        // The settings are no longer those of a cluster that the folder was in.
        if !unknown.isEmpty { try db.execute(sql: "DELETE FROM appliedChange") }
        return try unknown.sorted { $0.key < $1.key }.map { id, named in
            var writeKey = named
            let sql =
                "SELECT EXISTS (SELECT 1 FROM source WHERE writeKey = ?1) OR EXISTS (SELECT 1 FROM sourceKey WHERE key = ?1)"
            let isTaken = try Bool.fetchOne(db, sql: sql, arguments: [writeKey]) ?? true
            // The keys of a source may have outlived it.
            let isItsOwn =
                try Int64.fetchOne(
                    db, sql: "SELECT source FROM sourceKey WHERE key = ?", arguments: [writeKey]) == id
            if isItsOwn {
                try db.execute(sql: "DELETE FROM sourceKey WHERE key = ?", arguments: [writeKey])
            } else if writeKey.isEmpty || isTaken {
                writeKey = "recovered-" + String(id, radix: 16)
            }
            try Store.insertSource(db, id: id, writeKey: writeKey, name: writeKey, now: now)
            try Store.log(db, AuditEntry(action: .sourceRecovered, writeKey: writeKey), by: .server, now: now)
            return writeKey
        }
    }
}
