import Foundation
import GRDB
import WorkspaceCore

extension DataDoctor {
    /// - Returns: whether the other databases can be checked.
    mutating func lookAtWorkspaceDatabase() -> Bool {
        let file = path + "/workspace.sqlite"
        guard FileManager.default.fileExists(atPath: file) else { return lookForWorkspaceDatabase() }
        progress("workspace.sqlite")
        switch DatabaseState(of: file, isQuick: isQuick) {
        case .sound(0) where ByteFile.isEmpty(file):
            return mendWorkspaceDatabase("workspace.sqlite is empty", Self.setAside)
        case .sound(let version):
            if let reason = damage(ofLogOf: file) {
                return mendWorkspaceDatabase("workspace.sqlite is damaged (\(reason))", Self.setAside)
            }
            return lookAtVersion(version)
        case .damaged(let reason):
            return mendWorkspaceDatabase("workspace.sqlite is damaged (\(reason))", Self.setAside)
        case .unreadable(let reason):
            problem("workspace.sqlite cannot be read: \(reason)")
            return false
        }
    }

    /// Moves the database of the workspace to `unreadable`; returns its name there.
    private static func setAside(_ folder: DataFolder) throws -> String {
        let name = try folder.setAside(DataFolder.paths(ofDatabase: folder.databasePath))
        return String(name.dropFirst("unreadable/".count))
    }

    /// SQLite takes the transactions before a damage of the log for all of them.
    private func damage(ofLogOf file: String) -> String? {
        // A running workspace writes to the log meanwhile.
        guard folder != nil else { return nil }
        do {
            try SQLiteLog.check(file)
            return nil
        } catch {
            return (error as? DatabaseError)?.message ?? "its log cannot be read: \(SystemReason.text(error))"
        }
    }

    /// A repair that was interrupted may have moved it already.
    private mutating func lookForWorkspaceDatabase() -> Bool {
        let contents = FolderContents(of: path)
        let aside = contents.unreadable.last { $0.hasSuffix("workspace.sqlite") }
        return mendWorkspaceDatabase(
            "workspace.sqlite is missing, but there \(contents.remains); restore a backup if there is one"
        ) { _ in aside }
    }

    /// - Parameter setAside: moves the old file into `unreadable` and returns its name there; nil when there is none.
    private mutating func mendWorkspaceDatabase(_ text: String, _ setAside: (DataFolder) throws -> String?) -> Bool {
        var tables: [Salvage.Table] = []
        problem(
            text,
            mended: "a new one was made of what could be read and of the days; look at your sources and their settings"
        ) { folder in
            tables = try WorkspaceSalvage(folder: folder).run(from: try setAside(folder))
        }
        guard isRepairing, !hasProblems else { return false }
        if !tables.isEmpty { note("workspace.sqlite, \(tables.described)") }
        tell(tables, of: "workspace.sqlite")
        return true
    }

    private mutating func tell(_ tables: [Salvage.Table], of file: String) {
        for table in tables where table.lost > 0 {
            lost("\(table.lost) of \(table.expected) rows of \(table.name) in \(file) could not be read")
        }
    }

    private mutating func lookAtVersion(_ version: Int) -> Bool {
        if let refusal = WorkspaceError.otherFormat(version, insteadOf: Schema.history.readable, in: "workspace.sqlite")
        {
            problem(refusal.description)
            return false
        }
        guard version == Schema.version else {
            note(
                version == 0
                    ? "workspace.sqlite has no tables; the next start of the workspace makes them"
                    : "workspace.sqlite has format \(version); the next start of the workspace makes \(Schema.version) of it"
            )
            return false
        }
        fine("workspace.sqlite is sound, format \(version)")
        return true
    }

    mutating func lookAtDays() {
        let days: [Day]
        do {
            days = try DataFolder.dayFiles(in: path + "/days")
        } catch {
            return problem("the folder \(path)/days cannot be read: \(SystemReason.text(error))")
        }
        let states = Concurrently.map(
            days, done: { [progress] in progress("\($0) of \(days.count) days are read") }
        ) { [path, isQuick] day in DatabaseState(of: "\(path)/days/\(day).sqlite", isQuick: isQuick) }
        var sound = 0
        for (day, state) in zip(days, states) {
            switch state {
            case .sound(0): mend(day, "it has no tables")
            case .sound(DaySchema.version):
                if let reason = damage(ofLogOf: "\(path)/days/\(day).sqlite") {
                    mend(day, reason)
                } else {
                    sound += 1
                }
            case .sound(let version):
                let name = "days/\(day).sqlite"
                let refusal = WorkspaceError.otherFormat(
                    version, insteadOf: DaySchema.version...DaySchema.version, in: name)
                problem(refusal?.description ?? "\(name) has format \(version)")
            case .unreadable(let reason): problem("the day \(day) cannot be read: \(reason)")
            case .damaged(let reason): mend(day, reason)
            }
        }
        if sound > 0 { fine("\(sound) of \(days.count) days are sound") }
        lookAtStrays()
    }

    private mutating func mend(_ day: Day, _ reason: String) {
        salvage(day, "the day \(day) is damaged (\(reason))") { folder in
            String(try folder.setAside(folder.paths(of: day)).dropFirst("unreadable/".count))
        }
    }

    /// - Parameter setAside: returns the name that the file has in `unreadable`.
    private mutating func salvage(_ day: Day, _ text: String, _ setAside: (DataFolder) throws -> String) {
        var tables: [Salvage.Table] = []
        problem(text, mended: "what could be read was saved; the old file stays in unreadable/") { folder in
            tables = try DaySalvage(folder: folder, day: day, name: try setAside(folder)).run()
        }
        guard !tables.isEmpty else { return }
        note("\(day), \(tables.described)")
        tell(tables, of: "\(day)")
    }

    /// Files that the running server moved away may still have rows.
    mutating func lookAtUnreadable() {
        let names = FolderContents(of: path).unreadable
        for name in names {
            guard let day = DaySalvage.day(ofFile: name) else { continue }
            salvage(day, "the day \(day) could not be read once and was set aside as unreadable/\(name)") { _ in name }
        }
        let rest = FolderContents(of: path).unreadable.filter { DaySalvage.day(ofFile: $0) == nil }
        guard let first = rest.first else { return }
        note(
            "\(rest.count) files in \(path)/unreadable are not in use, the first is \(first); those that end with "
                + "\(DaySalvage.doneSuffix) were read as far as they can be. Delete them when you no longer need them")
    }

    /// Rows of an unknown source would not belong to any source.
    mutating func lookAtSources() {
        do {
            let adoption = SourceAdoption(path: path)
            let unknown = try DatabaseState.read(path + "/workspace.sqlite", adoption.unknown)
            guard !unknown.isEmpty else { return }
            let names = unknown.sorted { $0.key < $1.key }.map { $0.value.isEmpty ? "\($0.key)" : $0.value }
            problem(
                "workspace.sqlite does not know the sources of some events (\(names.joined(separator: ", "))): it is the "
                    + "database of another workspace, or an older one; put the right one back if there is one",
                mended: "the sources were taken up; what has no write key any more is called recovered-…"
            ) { folder in
                let pool = try Store.open(folder)
                defer { try? pool.closeWhole() }
                try pool.write { db in _ = try adoption.run(db) }
            }
        } catch {
            problem("the sources of the days cannot be read: \(SystemReason.text(error))")
        }
    }

    /// Logs without a database: the next database of that name must not find them.
    private mutating func lookAtStrays() {
        let folder = path + "/days"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() where name.hasSuffix("-wal") {
            let database = folder + "/" + name.dropLast("-wal".count)
            guard !FileManager.default.fileExists(atPath: database) else { continue }
            problem("days/\(name) is the log of a database that is gone", mended: "it was set aside") { folder in
                _ = try folder.setAside(DataFolder.paths(ofDatabase: database))
            }
        }
    }
}

/// The state of a database's file.
enum DatabaseState {
    case sound(version: Int)
    case damaged(String)
    case unreadable(String)

    /// - Parameter isQuick: whether only the head and the schema are read.
    init(of path: String, isQuick: Bool = false) {
        // Opening an empty file would delete the log beside it.
        guard !ByteFile.isEmpty(path) else {
            self = .sound(version: 0)
            return
        }
        do {
            let (version, answer) = try Self.read(path) { db in
                (
                    try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
                    try String.fetchOne(
                        db,
                        sql: isQuick
                            ? "SELECT 'ok' FROM (SELECT count(*) FROM sqlite_schema)" : "PRAGMA integrity_check(1)")
                        ?? "no answer"
                )
            }
            self = answer == "ok" ? .sound(version: version) : .damaged(answer)
        } catch let error as DatabaseError where error.isDamage {
            self = .damaged(error.message ?? "\(error.resultCode)")
        } catch {
            self = .unreadable(SystemReason.text(error))
        }
    }

    static func read<Result>(_ path: String, _ body: (Database) throws -> Result) throws -> Result {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read(body)
    }
}
