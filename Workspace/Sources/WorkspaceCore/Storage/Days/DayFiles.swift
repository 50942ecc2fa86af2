import Foundation
package import GRDB
package import Logging
import Synchronization

/// The files of the days: all of them, and the few that are open.
///
/// May be used from any thread. A pool stays usable as long as it is held.
package final class DayFiles: Sendable {
    fileprivate struct Open {
        let pool: DatabasePool
        var usedAt: UInt64
    }

    fileprivate struct State {
        var extents: [Day: DayExtent] = [:]
        var revisionsAtStart: [Day: String] = [:]
        var open: [Day: Open] = [:]
        var clock: UInt64 = 0
    }

    private let folder: DataFolder
    private let logger: Logger
    private let state = Mutex(State())

    /// Checks every file; a broken one is moved to `unreadable` and logged, and the others are served.
    package init(_ folder: DataFolder, logger: Logger, isKnown: (Day) throws -> Bool) throws {
        (self.folder, self.logger) = (folder, logger)
        try folder.makeFolder(folder.daysPath)
        for day in try folder.dayFiles() {
            do {
                try Self.check(folder.path(of: day)) { try isKnown(day) }
                let pool = try Self.open(folder.path(of: day))
                let (extent, revision) = try pool.read { (try DayExtent($0), try DaySchema.revision($0)) }
                state.withLock { $0.revisionsAtStart[day] = revision }
                keep(pool, extent, day)
            } catch let error as DatabaseError where error.isDamage {
                try setAside(day, because: error)
            }
        }
    }

    /// Looks for damage that opening a file would hide: a log with an end that SQLite would drop, and an empty file, in
    /// which it would make tables.
    /// - Parameter isKnown: whether the day is known to have messages. Else an empty file is one that a crash left
    ///   while it was made.
    private static func check(_ path: String, isKnown: () throws -> Bool) throws {
        guard ByteFile.isEmpty(path) else { return try SQLiteLog.check(path) }
        let log = path + "-wal"
        // The database deletes a log beside an empty file.
        if ByteFile.exists(log), !ByteFile.isEmpty(log) {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the file is empty, but its log is not")
        }
        guard try isKnown() else { return }
        throw DatabaseError(
            resultCode: .SQLITE_CORRUPT, message: "the file is empty, but messages of that day are known")
    }

    /// The content of each day.
    var extents: [Day: DayExtent] { state.withLock { $0.extents } }

    /// The revisions that the days had when they were opened at the start.
    var revisionsAtStart: [Day: String] { state.withLock { $0.revisionsAtStart } }

    /// The file of a day for reading; nil when there is none.
    package func pool(for day: Day) throws -> DatabasePool? {
        guard state.withLock({ $0.extents[day] != nil }) else { return nil }
        return try opened(day)
    }

    /// The file of a day for writing; it is made when it is missing.
    func madePool(for day: Day) throws -> DatabasePool {
        let pool = try opened(day)
        state.withLock { state in
            if state.extents[day] == nil { state.extents[day] = DayExtent() }
        }
        return pool
    }

    package func path(of day: Day) -> String { folder.path(of: day) }

    func extend(_ day: Day, with rows: [EventBlock.Row], of writeKeys: [Int64: String]) {
        state.withLock { state in
            var extent = state.extents[day] ?? DayExtent()
            for row in rows { extent.add(row) }
            for source in Set(rows.map(\.identity.source)) { extent.add(source, writeKeys[source] ?? "") }
            state.extents[day] = extent
        }
    }

    func setExtent(_ extent: DayExtent, of day: Day) { state.withLock { $0.extents[day] = extent } }

    /// Deletes a day. The log goes first: the file without it is a day that is a little older, not a broken one.
    package func remove(_ day: Day) throws {
        forget(day)
        for path in folder.paths(of: day).reversed() where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
            // Otherwise a power cut may bring the log back and not the day.
            try AtomicFolder.sync(folder.daysPath)
        }
    }

    /// Moves a broken day to `unreadable`, for a person to look at.
    package func setAside(_ day: Day, because reason: any Error) throws {
        forget(day)
        let name = try folder.setAside(folder.paths(of: day))
        logger.error(
            "the events of a day cannot be read; they were set aside, and `tributary doctor` may save some of them",
            metadata: ["day": "\(day)", "file": "\(name)", "reason": "\(reason)"])
    }

    package func close() throws {
        let pools = state.withLock { state in
            defer { state.open = [:] }
            return state.open.values.map(\.pool)
        }
        for pool in pools { try pool.closeWhole() }
    }

    private func forget(_ day: Day) {
        let open = state.withLock { state in
            state.extents[day] = nil
            return state.open.removeValue(forKey: day)
        }
        withExtendedLifetime(open) {}
    }

    private func opened(_ day: Day) throws -> DatabasePool {
        if let pool = state.withLock({ $0.use(day) }) { return pool }
        let pool = try Self.open(folder.path(of: day))
        return keep(pool, nil, day)
    }

    /// Remembers an open file. Returns the file that another task opened meanwhile, if any.
    @discardableResult
    private func keep(_ pool: DatabasePool, _ extent: DayExtent?, _ day: Day) -> DatabasePool {
        let (kept, surplus) = state.withLock { state in
            if let extent { state.extents[day] = extent }
            if let other = state.use(day) { return (other, nil as Open?) }
            state.clock += 1
            state.open[day] = Open(pool: pool, usedAt: state.clock)
            return (pool, state.surplus())
        }
        // Closed here, outside the lock, unless it is still being read.
        withExtendedLifetime(surplus) {}
        return kept
    }

    package static func open(_ path: String) throws -> DatabasePool {
        try DurablePool.open(
            path, label: "day", readers: 3, cacheKilobytes: Limits.dayCacheKilobytes,
            formats: DaySchema.version...DaySchema.version,
            prepare: DaySchema.prepare)
    }
}

extension DayFiles.State {
    fileprivate mutating func use(_ day: Day) -> DatabasePool? {
        clock += 1
        open[day]?.usedAt = clock
        return open[day]?.pool
    }

    /// Closes the file that was not used for the longest time, when too many are open.
    fileprivate mutating func surplus() -> DayFiles.Open? {
        guard open.count > Limits.openDays, let oldest = open.min(by: { $0.value.usedAt < $1.value.usedAt })?.key
        else { return nil }
        return open.removeValue(forKey: oldest)
    }
}
