import Foundation
import GRDB

/// The rows of a day that are about a person, found by indexes.
struct DaySubjects: Sendable {
    private struct Subject: Hashable {
        let kind: RowIdentity.Kind
        let number: Int64
    }

    private var subjects: Set<Subject> = []

    /// None.
    init() {}

    private init(_ subjects: ArraySlice<Subject>) { self.subjects = Set(subjects) }

    var isEmpty: Bool { subjects.isEmpty }

    /// The same rows in parts that are deleted in a transaction each.
    var steps: [DaySubjects] {
        let sorted = subjects.sorted { $0.number < $1.number }
        return stride(from: 0, to: sorted.count, by: Limits.rowsErasedAtOnce).map { start in
            DaySubjects(sorted[start..<min(start + Limits.rowsErasedAtOnce, sorted.count)])
        }
    }

    /// - Parameter parts: those of the indexes in which rows can be.
    init(of person: Person, _ db: Database, _ parts: Set<Int64>) throws {
        for part in parts.sorted() {
            try add(.event, db, Self.byUser, [part, person.bytes])
            for id in person.anonymousIds {
                try add(.event, db, Self.byDevice, [part, id])
                try add(.signal, db, Self.signalsByDevice, [part, id])
            }
            try addMentions(of: person, db, part)
        }
        subjects = try subjects.filter { try Self.isAbout(person, $0, db) }
    }

    /// The anonymous ids of a user before logging in, as far as the events of a day have them.
    static func anonymousIds(of userId: String, _ db: Database, _ parts: Set<Int64>) throws -> Set<Data> {
        let statement = try db.cachedStatement(
            sql: """
                SELECT DISTINCT CAST(anonymousId AS BLOB) FROM event INDEXED BY event_userId
                WHERE (sequence >> 13) = ? AND userId = \(WholeText.parameter) AND anonymousId IS NOT NULL
                """)
        return try parts.sorted().reduce(into: []) { ids, part in
            ids.formUnion(try Data.fetchAll(statement, arguments: [part, WholeText.argument(userId)]))
        }
    }

    /// Deletes the rows with the traces of events, their mentions of users, and their counts in the catalog.
    func delete(_ person: Person, _ db: Database, _ parts: Set<Int64>) throws -> Erased {
        let before = db.totalChangesCount
        var erased = Erased()
        var counts: [Int64: Int] = [:]
        var subjects = subjects
        for subject in subjects where subject.kind == .event {
            let sql = """
                SELECT trace.sequence FROM trace JOIN event
                    ON trace.messageId = event.messageId AND trace.source = event.source WHERE event.sequence = ?
                """
            let traces = try Int64.fetchAll(db, sql: sql, arguments: [subject.number])
            subjects.formUnion(traces.map { Subject(kind: .trace, number: $0) })
        }
        try CatalogTally.subtract(subjects.filter { $0.kind == .event }.map(\.number), db)
        for subject in subjects {
            guard let source = try Self.delete(subject, db) else { continue }
            counts[source, default: 0] += 1
            erased.count(subject.kind)
        }
        let statement = try db.cachedStatement(
            sql: "DELETE FROM mention WHERE part = ? AND userId = \(WholeText.parameter)")
        for part in parts { try statement.execute(arguments: [part, WholeText.argument(person.userId)]) }
        for (source, count) in counts { try DaySchema.noteErased(count, of: source, db) }
        if db.totalChangesCount > before { try DaySchema.revise(db) }
        return erased
    }

    // MARK: Finding

    private static let byUser = """
        SELECT sequence FROM event INDEXED BY event_userId
        WHERE (sequence >> 13) = ? AND userId = \(WholeText.parameter)
        """
    private static let byDevice = """
        SELECT sequence FROM event INDEXED BY event_anonymousId
        WHERE (sequence >> 13) = ? AND anonymousId = \(WholeText.parameter) AND userId IS NULL
        """
    private static let signalsByDevice = """
        SELECT sequence FROM signal INDEXED BY signal_anonymousId
        WHERE (sequence >> 13) = ? AND anonymousId = \(WholeText.parameter)
        """

    private mutating func add(
        _ kind: RowIdentity.Kind, _ db: Database, _ sql: String, _ arguments: StatementArguments
    ) throws {
        let numbers = try Int64.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
        for number in numbers { subjects.insert(Subject(kind: kind, number: number)) }
    }

    private mutating func addMentions(of person: Person, _ db: Database, _ part: Int64) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT kind, number FROM mention WHERE part = ? AND userId IN (\(WholeText.parameter), '')")
        for row in try Row.fetchAll(statement, arguments: [part, person.bytes]) {
            guard let kind = RowIdentity.Kind(rawValue: try row.decode(UInt8.self, atIndex: 0)) else { continue }
            subjects.insert(Subject(kind: kind, number: try row.decode(Int64.self, atIndex: 1)))
        }
    }

    /// Whether a row that was found is there, and about the person.
    private static func isAbout(_ person: Person, _ subject: Subject, _ db: Database) throws -> Bool {
        let ids =
            switch subject.kind {
            case .event: ["userId", "anonymousId"]
            case .signal: ["anonymousId"]
            case .trace, .rejected: [] as [String]
            }
        let table = DaySchema.table(of: subject.kind)
        let columns = (["body"] + ids.map { "CAST(\($0) AS BLOB) AS \($0)" }).joined(separator: ", ")
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM \(table) WHERE sequence = ?")
        guard let row = try Row.fetchOne(statement, arguments: [subject.number]) else { return false }
        let userId: Data? = ids.contains("userId") ? try row.decode(Data?.self, forColumn: "userId") : nil
        if userId == person.bytes { return true }
        if userId == nil, !ids.isEmpty, person.isAnonymous(try row.decode(Data?.self, forColumn: "anonymousId")) {
            return true
        }
        return person.isSubject(of: [UInt8](try row.decode(Data.self, forColumn: "body")))
    }

    // MARK: Deleting

    /// - Returns: the source of the row; nil when it is not there any more.
    private static func delete(_ subject: Subject, _ db: Database) throws -> Int64? {
        let table = DaySchema.table(of: subject.kind)
        let find = try db.cachedStatement(sql: "SELECT source, body FROM \(table) WHERE sequence = ?")
        guard let row = try Row.fetchOne(find, arguments: [subject.number]) else { return nil }
        let mention = try db.cachedStatement(
            sql: """
                DELETE FROM mention WHERE part = ? AND userId = \(WholeText.parameter) AND kind = ? AND number = ?
                """)
        for id in DayMentions.entries(DayMentions.ids([UInt8](try row.decode(Data.self, atIndex: 1)))) {
            try mention.execute(arguments: [
                subject.number / DaySchema.rowsOfIndexPart, WholeText.argument(id), subject.kind.rawValue,
                subject.number,
            ])
        }
        try db.cachedStatement(sql: "DELETE FROM \(table) WHERE sequence = ?").execute(arguments: [subject.number])
        return try row.decode(Int64.self, atIndex: 0)
    }
}

extension Erased {
    fileprivate mutating func count(_ kind: RowIdentity.Kind) {
        switch kind {
        case .event: events += 1
        case .trace: traces += 1
        case .signal: signals += 1
        case .rejected: rejected += 1
        }
    }
}
