public import Foundation
import GRDB

/// Copies of a data folder that can be put in its place, made while the server runs or not.
///
/// A backup contains every event that was acknowledged before it began, because of its order: first the journal, then
/// the database with the watermark, then the days, each as it is at one point in time. Rows of a day beyond the
/// watermark are cut off, and come again from the journal.
public struct WorkspaceBackup: Sendable {
    /// The content of a backup or of a restored folder.
    public struct Summary: Sendable, Equatable {
        /// Days with events.
        public let days: Int
        /// Requests that will be indexed at the next start.
        public let waitingRequests: Int
        /// Bytes of all files.
        public let bytes: Int
    }

    static let manifestName = "backup.json"
    static let version = 1

    /// Makes a backup in a folder that does not exist or is empty.
    /// - Throws: `WorkspaceError` when something cannot be read or written; then nothing is left at the target.
    public static func make(of dataFolder: String, at target: String, now: Date = Date()) throws -> Summary {
        let source = URL(fileURLWithPath: dataFolder).standardizedFileURL.path
        guard FileManager.default.fileExists(atPath: source + "/workspace.sqlite") else {
            throw WorkspaceError(.dataFolder, "\(source) is no data folder: it has no workspace.sqlite")
        }
        return try FolderMaking(target).make { folder in
            try copyJournal(source + "/journal", to: folder + "/journal")
            let numbers = try copyDatabase(source, to: folder)
            try copyDays(source + "/days", to: folder + "/days", through: numbers)
            try copyUnreadable(source + "/unreadable", to: folder + "/unreadable")
            return try BackupManifest(of: folder).write(to: folder, at: now)
        }
    }

    /// Makes a data folder of a backup. The folder must not exist or must be empty; move an old one away first.
    /// - Throws: `WorkspaceError`, also when the backup has changed since it was made.
    public static func restore(_ backup: String, to target: String) throws -> Summary {
        let source = URL(fileURLWithPath: backup).standardizedFileURL.path
        let manifest = try BackupManifest(read: source)
        return try FolderMaking(target).make { folder in
            for file in manifest.files {
                try FolderMaking.copy(source + "/" + file.path, to: folder + "/" + file.path)
            }
            let copy = try BackupManifest(of: folder)
            if let wrong = manifest.difference(from: copy) {
                throw WorkspaceError(.dataFolder, "the backup is damaged: \(wrong)")
            }
            return try copy.summary(of: folder)
        }
    }

    // MARK: Parts

    private static func copyJournal(_ source: String, to target: String) throws {
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        guard FileManager.default.fileExists(atPath: source) else { return }
        let names = try FileManager.default.contentsOfDirectory(atPath: source).sorted()
        // The mark comes last: records that it calls removed may be gone already, and all others are there.
        for name in names.filter({ $0.hasSuffix(".tjl") && !$0.hasPrefix("spare-") }) + ["mark"] {
            do {
                try FolderMaking.copy(source + "/" + name, to: target + "/" + name)
            } catch {
                // A file that is gone was indexed meanwhile, so its events are in the days.
                if FileManager.default.fileExists(atPath: source + "/" + name) { throw error }
            }
        }
    }

    private static func copyDatabase(_ source: String, to target: String) throws -> RowNumbers {
        let path = target + "/workspace.sqlite"
        try copyDatabase(source + "/workspace.sqlite", at: path) { db in
            let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            let refusal = WorkspaceError.otherFormat(found, insteadOf: Schema.version, in: "workspace.sqlite")
            if let refusal { throw refusal }
            // Requests that arrived after the journal was copied are not in the backup and are not lost.
            try db.execute(sql: "UPDATE indexed SET acknowledged = sequence")
        }
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { db in try Store.numbers(db) }
    }

    /// Traces stay, because a trace that is cut off may have replaced an older one; a trace without its event does no
    /// harm.
    private static func copyDays(_ source: String, to target: String, through numbers: RowNumbers) throws {
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        for day in try DataFolder.dayFiles(in: source) {
            do {
                try copyDatabase("\(source)/\(day).sqlite", at: "\(target)/\(day).sqlite") { db in
                    try db.execute(sql: "DELETE FROM event WHERE sequence > ?", arguments: [numbers.stream])
                    try db.execute(sql: "DELETE FROM signal WHERE sequence > ?", arguments: [numbers.stream])
                    try db.execute(sql: "DELETE FROM rejected WHERE sequence > ?", arguments: [numbers.rejected])
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
                // The day was deleted for its age meanwhile.
                continue
            }
        }
    }

    private static func copyDatabase(
        _ source: String, at target: String, change: @escaping (Database) throws -> Void
    ) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let from = try DatabaseQueue(path: source, configuration: configuration)
        defer { try? from.close() }
        let to = try DatabaseQueue(path: target)
        defer { try? to.close() }
        try from.backup(to: to)
        try to.inDatabase { db in
            // One file rather than three.
            try db.execute(sql: "PRAGMA journal_mode = DELETE")
            try db.inTransaction {
                try change(db)
                return .commit
            }
            let answer = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
            guard answer == "ok" else {
                throw WorkspaceError(.dataFolder, "the database \(source) is damaged: \(answer ?? "no answer")")
            }
        }
    }

    private static func copyUnreadable(_ source: String, to target: String) throws {
        guard FileManager.default.fileExists(atPath: source) else { return }
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: source) {
            try FolderMaking.copy(source + "/" + name, to: target + "/" + name)
        }
    }
}
