package import GRDB

/// The days that the workspace has made, and what became of them, as its database says.
///
/// A day is noted with its first messages, and once more before its file is deleted. So a day that is noted as kept and
/// has no file is a loss, however old it is.
package struct DayRecords: Sendable, Equatable {
    package enum State: String, Sendable {
        case kept
        /// The retention has deleted the day, or is about to.
        case deleted
        /// A repair found that the file is gone.
        case lost
    }

    package struct Record: Sendable, Equatable {
        package var state: State
        /// Messages of the day that a repair found missing.
        package var lostMessages = 0

        package init(state: State, lostMessages: Int = 0) { (self.state, self.lostMessages) = (state, lostMessages) }
    }

    package private(set) var records: [Day: Record] = [:]

    package init() {}

    package init(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT number, state, lostMessages FROM day") {
            let state = State(rawValue: try row.decode(String.self, atIndex: 1)) ?? .kept
            records[Day(number: try row.decode(Int64.self, atIndex: 0))] = Record(
                state: state, lostMessages: try row.decode(Int.self, atIndex: 2))
        }
    }

    /// The records that are the same in both.
    package func agreeing(with other: DayRecords) -> DayRecords {
        var same = self
        same.records = records.filter { other.records[$0.key] == $0.value }
        return same
    }

    package subscript(_ day: Day) -> Record? { records[day] }

    /// The days that should have a file and have none, oldest first.
    package func missing(besides files: some Sequence<Day>) -> [Day] {
        let files = Set(files)
        return records.filter { $0.value.state == .kept && !files.contains($0.key) }.keys.sorted()
    }

    // MARK: Changes

    /// Notes days that get messages, in the transaction that confirms them.
    static func noteKept(_ days: some Sequence<Day>, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO day (number, state) VALUES (?1, ?2)
                ON CONFLICT (number) DO UPDATE SET state = ?2 WHERE state <> ?2
                """)
        for day in days { try statement.execute(arguments: [day.number, State.kept.rawValue]) }
    }

    /// Notes that a day is deleted on purpose, before its file is.
    package static func noteDeleted(_ day: Day, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO day (number, state) VALUES (?, ?)",
            arguments: [day.number, State.deleted.rawValue])
    }

    /// Notes that a repair found messages of a day missing.
    /// - Parameter isGone: whether the day has no file.
    package static func noteLost(_ messages: Int, of day: Day, isGone: Bool, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO day (number, state, lostMessages) VALUES (?1, ?2, ?3)
                ON CONFLICT (number) DO UPDATE SET state = ?2, lostMessages = lostMessages + ?3
                """,
            arguments: [day.number, (isGone ? State.lost : .kept).rawValue, messages])
    }

    /// Takes up days that have a file and no record: an earlier version wrote no records, and an operator may have put
    /// back a lost file.
    static func adopt(_ files: some Sequence<Day>, _ db: Database) throws {
        for day in files {
            try db.execute(
                sql: """
                    INSERT INTO day (number, state) VALUES (?1, ?2)
                    ON CONFLICT (number) DO UPDATE SET state = ?2, lostMessages = 0 WHERE state = ?3
                    """,
                arguments: [day.number, State.kept.rawValue, State.lost.rawValue])
        }
    }
}
