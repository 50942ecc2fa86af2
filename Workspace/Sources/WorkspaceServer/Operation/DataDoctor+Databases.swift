import Foundation
import GRDB

extension DataDoctor {
    /// - Returns: whether the others can be looked at.
    mutating func lookAtWorkspaceDatabase() -> Bool {
        let file = path + "/workspace.sqlite"
        guard FileManager.default.fileExists(atPath: file) else {
            let hasDays = (try? DataFolder.dayFiles(in: path + "/days"))?.isEmpty == false
            if hasDays {
                problem("workspace.sqlite is missing: sources, settings and the admin token are gone; restore a backup")
            } else {
                problem("there is no workspace in the folder: it has no workspace.sqlite")
            }
            return false
        }
        switch DatabaseState(of: file) {
        case .sound(let version) where version > Schema.version:
            problem("workspace.sqlite has format \(version); this version reads up to \(Schema.version)")
            return false
        case .sound(let version):
            return lookAtVersion(version, of: file)
        case .damaged(let reason):
            problem(
                "workspace.sqlite is damaged (\(reason))",
                mended: "what could be read was saved to a new one, and the old one set aside; look at your sources"
            ) { folder in
                try WorkspaceSalvage(folder: folder).run()
            }
            return isRepairing && !hasProblems
        case .unreadable(let reason):
            problem("workspace.sqlite cannot be read: \(reason)")
            return false
        }
    }

    private mutating func lookAtVersion(_ version: Int, of file: String) -> Bool {
        guard version == Schema.version else {
            note(
                "workspace.sqlite has format \(version); the next start of the workspace brings it to \(Schema.version)"
            )
            return false
        }
        fine("workspace.sqlite is sound, format \(version)")
        let isMoved = try? DatabaseState.read(file) { db in try !db.tableExists("event") }
        if isMoved == false { note("events of an older version wait in it; the next start moves them to their days") }
        return true
    }

    mutating func lookAtDays() {
        let days: [Day]
        do {
            days = try DataFolder.dayFiles(in: path + "/days")
        } catch {
            return problem("the folder \(path)/days cannot be read: \(error)")
        }
        var sound = 0
        for day in days {
            switch DatabaseState(of: "\(path)/days/\(day).sqlite") {
            case .sound(let version) where version <= DaySchema.version: sound += 1
            case .sound(let version):
                problem("the day \(day) has format \(version); this version reads up to \(DaySchema.version)")
            case .unreadable(let reason): problem("the day \(day) cannot be read: \(reason)")
            case .damaged(let reason): mend(day, reason)
            }
        }
        if sound > 0 { fine("\(sound) of \(days.count) days are sound") }
        lookAtStrays()
    }

    private mutating func mend(_ day: Day, _ reason: String) {
        var saved = 0
        problem(
            "the day \(day) is damaged (\(reason))",
            mended: "what could be read was saved to a new file, and the old one set aside"
        ) { folder in
            saved = try DaySalvage(folder: folder, day: day).run()
        }
        if saved > 0 { note("\(saved) rows of \(day) were saved") }
    }

    /// Logs whose database is gone: the next database of that name must not find them.
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

/// How the file of a database stands.
enum DatabaseState {
    case sound(version: Int)
    case damaged(String)
    case unreadable(String)

    init(of path: String) {
        do {
            let (version, answer) = try Self.read(path) { db in
                (
                    try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
                    try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "no answer"
                )
            }
            self = answer == "ok" ? .sound(version: version) : .damaged(answer)
        } catch let error as DatabaseError where error.isDamage {
            self = .damaged(error.message ?? "\(error.resultCode)")
        } catch {
            self = .unreadable("\(error)")
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
