import Foundation
import GRDB
import TributaryJSON
import WorkspaceCore

/// Compares the index of messages with the days.
struct IndexComparison {
    /// Rows that the index does not know.
    private(set) var unknown = 0
    /// Days that could not be read.
    private(set) var unread: [Day] = []
    /// Messages that the index knows and no day has, except erased ones and losses that were noted before.
    private(set) var missing = 0
    /// How many messages each day lacks. A day that is gone is listed also when the index knows no message of it.
    private(set) var incompleteDays: [Day: Int] = [:]
    /// Days that have no file, although the workspace did not delete them.
    let goneDays: [Day]

    private let path: String
    private let numbers: RowNumbers

    /// - Parameters:
    ///   - isBehind: the database is older than the days, so it does not know what it cannot know.
    ///   - progress: called with how far it is, from several threads.
    /// - Throws: `MessageFile.Damage` when a file of the index is damaged.
    init(path: String, isBehind: Bool, _ progress: @Sendable (String) -> Void = { _ in }) throws {
        self.path = path
        numbers =
            isBehind
            ? RowNumbers(stream: .max, rejected: .max)
            : try DatabaseState.read(path + "/workspace.sqlite", Store.numbers)
        let index = try MessageIndex.reading(path)
        let counts = try index.counts()
        let (records, days) = try DayRecords.reading(path)
        goneDays = records.missing(besides: days)
        // Rows of a day that are there, and that were erased with their users: those messages stay known.
        var found: [Day: Int] = [:]
        let results = Concurrently.map(
            days, done: { progress("the messages of \($0) of \(days.count) days are compared") }
        ) { [self] day in Result { try compare(day, index) } }
        for (day, result) in zip(days, results) {
            guard case .success(let count) = result else {
                unread.append(day)
                continue
            }
            found[day] = count.known
            unknown += count.unknown
        }
        try lookForMissing(counts, records, days, found)
    }

    /// Calls with the rows that an index does not know, some at a time.
    func forEachUnknown(_ index: MessageIndex, _ body: ([MessageRow]) throws -> Void) throws {
        for day in try DataFolder.dayFiles(in: path + "/days") where !unread.contains(day) {
            try forEachMessages(of: day) { messages in
                let places = try index.places(of: Set(messages.map(\.identity)))
                try body(
                    messages.filter { places[$0.identity] == nil }.map {
                        MessageRow($0.identity, MessageLocation(day: day, receivedAt: $0.receivedAt))
                    })
            }
        }
    }

    /// - Returns: how many rows of a day the index has in that day, including erased rows; and how many rows it has on
    ///   no day.
    private func compare(_ day: Day, _ index: MessageIndex) throws -> (known: Int, unknown: Int) {
        var (found, unknown) = (0, 0)
        try forEachMessages(of: day) { messages in
            let identities = messages.map(\.identity)
            let known = try index.known(identities, in: day)
            found += known.count
            guard known.count < identities.count else { return }
            let elsewhere = try index.places(of: Set(identities).subtracting(known))
            unknown += identities.count { !known.contains($0) && elsewhere[$0] == nil }
        }
        return (found + (try DatabaseState.read("\(path)/days/\(day).sqlite", DaySchema.erased)), unknown)
    }

    private func forEachMessages(of day: Day, _ body: ([SQLiteDays.Message]) throws -> Void) throws {
        try DatabaseState.read("\(path)/days/\(day).sqlite") { db in
            try SQLiteDays.forEachMessages(db, through: numbers, body)
        }
    }

    /// A day is compared when it should be there. Of days that are not in the records, because an earlier version made and
    /// perhaps deleted them, only those are that are newer than the oldest file: days go by their age.
    private mutating func lookForMissing(
        _ counts: [Day: Int], _ records: DayRecords, _ days: [Day], _ found: [Day: Int]
    ) throws {
        for (day, count) in counts where !unread.contains(day) {
            switch records[day]?.state {
            case .deleted: continue
            case nil where days.first.map { day < $0 } ?? true: continue
            case nil, .kept, .lost: break
            }
            let less = count - (found[day] ?? 0) - (records[day]?.lostMessages ?? 0)
            if less > 0 { incompleteDays[day] = less }
        }
        let gone = incompleteDays.values.reduce(0, +)
        missing = max(0, gone - (try DatabaseState.read(path + "/workspace.sqlite", Self.noted)))
        if missing == 0 { incompleteDays = [:] }
        for day in goneDays where incompleteDays[day] == nil { incompleteDays[day] = 0 }
    }

    /// Losses that a repair by an earlier version noted, which did not say of which days.
    private static func noted(_ db: Database) throws -> Int {
        let sql = "SELECT details FROM audit WHERE action = ?"
        return try Data.fetchAll(db, sql: sql, arguments: [AuditEntry.Action.dataLost.rawValue]).reduce(0) {
            let details = try JSON.parse([UInt8]($1))
            return $0 + (details["days"] == nil ? details["count"]?.intValue ?? 0 : 0)
        }
    }
}

extension MessageIndex {
    /// Reads the index of a folder in which a workspace may run, which replaces files now and then.
    static func reading(_ path: String) throws -> MessageIndex {
        func read() throws -> MessageIndex {
            try DatabaseState.read(path + "/workspace.sqlite") { try MessageIndex($0, folder: path + "/messages") }
        }
        for _ in 0..<5 {
            do {
                return try read()
            } catch let damage as MessageFile.Damage where damage.isMissing {
                continue
            }
        }
        return try read()
    }
}

extension DayRecords {
    /// Reads the records of a folder in which a workspace may run: a day that it deletes meanwhile is not missing.
    /// - Returns: the records, and the days that have a file.
    static func reading(_ path: String) throws -> (records: DayRecords, files: [Day]) {
        func read() throws -> DayRecords { try DatabaseState.read(path + "/workspace.sqlite", DayRecords.init) }
        let records = try read()
        let files = try DataFolder.dayFiles(in: path + "/days")
        return (records.agreeing(with: try read()), files)
    }
}
