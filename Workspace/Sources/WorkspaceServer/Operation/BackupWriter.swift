import Foundation
import GRDB
import WorkspaceCore

/// Fills the folder of a backup.
struct BackupWriter {
    let source: String
    let target: String
    let base: BaseBackup?
    let now: Date
    /// Files of the base, by their paths.
    private var taken: [String: BackupManifest.File] = [:]
    private var days: [String: String] = [:]

    init(source: String, target: String, base: BaseBackup?, now: Date) {
        (self.source, self.target, self.base, self.now) = (source, target, base, now)
    }

    mutating func run(_ progress: (Int, Int) -> Void) throws -> WorkspaceBackup.Summary {
        try copyJournal()
        let numbers = try copyDatabaseAndMessages()
        try copyDays(through: numbers, progress)
        try copyUnreadable()
        let missing = try settleDays()
        var manifest = try BackupManifest(of: target, known: taken)
        manifest.days = days
        var summary = try manifest.write(to: target, at: now)
        summary.missingDays = missing.map(\.description)
        return summary
    }

    private func copyJournal() throws {
        let (source, target) = (source + "/journal", target + "/journal")
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        guard FileManager.default.fileExists(atPath: source) else { return }
        let names = try FileManager.default.contentsOfDirectory(atPath: source).sorted()
        // The mark last: what it says is removed may be gone already, what it does not say is there.
        for name in names.filter({ $0.hasSuffix(".tjl") && !$0.hasPrefix("spare-") }) + ["mark"] {
            do {
                try AtomicFolder.copy(source + "/" + name, to: target + "/" + name)
            } catch {
                // One that is gone was indexed meanwhile, so it is in the days.
                if FileManager.default.fileExists(atPath: source + "/" + name) { throw error }
            }
        }
    }

    /// A running workspace may replace files of message ids meanwhile; then the database that names the new ones is copied.
    private mutating func copyDatabaseAndMessages() throws -> RowNumbers {
        for _ in 0..<5 {
            let numbers = try copyDatabase()
            if try copyMessages() { return numbers }
            try FileManager.default.removeItem(atPath: target + "/workspace.sqlite")
            try FileManager.default.removeItem(atPath: target + "/messages")
            taken = [:]
        }
        throw WorkspaceError(.dataFolder, "files of message ids in \(source) are missing; see `tributary doctor`")
    }

    private func copyDatabase() throws -> RowNumbers {
        let path = target + "/workspace.sqlite"
        try Self.copyDatabase(source + "/workspace.sqlite", at: path) { db in
            let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            let refusal = WorkspaceError.otherFormat(found, insteadOf: Schema.history.readable, in: "workspace.sqlite")
            if let refusal { throw refusal }
            // Requests that came after the journal was copied are no part of the backup, nor are they lost.
            try db.execute(sql: "UPDATE indexed SET acknowledged = sequence")
        }
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { db in try Store.numbers(db) }
    }

    /// - Returns: false when a file that the copy of the database names is not there any more.
    private mutating func copyMessages() throws -> Bool {
        try FileManager.default.createDirectory(atPath: target + "/messages", withIntermediateDirectories: false)
        for file in try DatabaseState.read(target + "/workspace.sqlite", MessageIndex.files) {
            let path = MessageFile.path(file.number, in: source + "/messages")
            let name = URL(fileURLWithPath: path).lastPathComponent
            if let base, let known = base.file(ofMessages: name, like: path) {
                try base.take(known, to: target)
                taken[known.path] = known
                continue
            }
            do {
                try AtomicFolder.copy(path, to: target + "/messages/" + name)
            } catch {
                guard FileManager.default.fileExists(atPath: path) else { return false }
                throw error
            }
        }
        return true
    }

    private mutating func copyDays(through numbers: RowNumbers, _ progress: (Int, Int) -> Void) throws {
        try FileManager.default.createDirectory(atPath: target + "/days", withIntermediateDirectories: false)
        let all = try DataFolder.dayFiles(in: source + "/days")
        for (index, day) in all.enumerated() {
            try copy(day.description, through: numbers)
            progress(index + 1, all.count)
        }
    }

    /// Days that the running workspace deleted since its database was copied are noted as deleted in the copy.
    /// - Returns: the days that are not there, although the workspace did not delete them.
    private func settleDays() throws -> [Day] {
        let queue = try DatabaseQueue(path: target + "/workspace.sqlite")
        defer { try? queue.close() }
        // A database of an earlier version has no records of days.
        guard try queue.read({ try $0.tableExists("day") }) else { return [] }
        let files = try DataFolder.dayFiles(in: target + "/days")
        let missing = try queue.read { try DayRecords($0).missing(besides: files) }
        guard !missing.isEmpty else { return [] }
        let now = try DatabaseState.read(source + "/workspace.sqlite", DayRecords.init)
        let deleted = missing.filter { now[$0]?.state == .deleted }
        try queue.write { db in for day in deleted { try DayRecords.noteDeleted(day, db) } }
        return missing.filter { !deleted.contains($0) }
    }

    private mutating func copy(_ day: String, through numbers: RowNumbers) throws {
        let path = "\(source)/days/\(day).sqlite"
        do {
            // Read before the copy: after a write meanwhile, a later backup copies the day again.
            let revision = try DatabaseState.read(path, DaySchema.revision)
            if let base, let known = base.file(ofDay: day, revision) {
                try base.take(known, to: target)
                taken[known.path] = known
                days[day] = revision
                return
            }
            let cut = try Self.copyDay(path, at: "\(target)/days/\(day).sqlite", through: numbers)
            // A later backup may need the rows that are not in this one.
            if cut == 0 { days[day] = revision }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            // Given up for its age meanwhile.
        }
    }

    /// Traces stay, because one that is cut off may have replaced an older one; it does no harm to have it early.
    /// - Returns: how many rows were cut off.
    private static func copyDay(_ source: String, at target: String, through numbers: RowNumbers) throws -> Int {
        try copyDatabase(source, at: target) { db in
            let before = db.totalChangesCount
            try db.execute(sql: "DELETE FROM event WHERE sequence > ?", arguments: [numbers.stream])
            try db.execute(sql: "DELETE FROM signal WHERE sequence > ?", arguments: [numbers.stream])
            try db.execute(sql: "DELETE FROM rejected WHERE sequence > ?", arguments: [numbers.rejected])
            return db.totalChangesCount - before
        }
    }

    private static func copyDatabase<Result>(
        _ source: String, at target: String, change: (Database) throws -> Result
    ) throws -> Result {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let from = try DatabaseQueue(path: source, configuration: configuration)
        defer { try? from.close() }
        let to = try DatabaseQueue(path: target)
        defer { try? to.close() }
        try from.backup(to: to)
        return try to.inDatabase { db in
            // Removed rows must not stay readable, because nothing would erase them later.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            // One file rather than three.
            try db.execute(sql: "PRAGMA journal_mode = DELETE")
            var result: Result?
            try db.inTransaction {
                result = try change(db)
                return .commit
            }
            let answer = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
            guard answer == "ok", let result else {
                throw WorkspaceError(.dataFolder, "the database \(source) is damaged: \(answer ?? "no answer")")
            }
            return result
        }
    }

    private func copyUnreadable() throws {
        let (source, target) = (source + "/unreadable", target + "/unreadable")
        guard FileManager.default.fileExists(atPath: source) else { return }
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: source) {
            try AtomicFolder.copy(source + "/" + name, to: target + "/" + name)
        }
    }
}
