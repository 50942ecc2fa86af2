import Foundation
import GRDB
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct BoundStatementTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE t (number INTEGER PRIMARY KEY, text TEXT, bytes BLOB) STRICT")
        }
    }

    private func insert(_ number: Int64?, _ text: String?, _ bytes: [UInt8], _ db: Database) throws {
        let statement = try BoundStatement(db, sql: "INSERT INTO t VALUES (?, ?, ?)")
        try statement.bind(number, at: 1)
        try statement.bind(text, at: 2)
        try bytes.withUnsafeBytes { try statement.bind($0, at: 3) }
        try statement.run()
    }

    @Test(
        "A bound text is stored unchanged",
        arguments: ["", "plain", "zero\0inside", "Grüße 👋", String(repeating: "long ", count: 10_000)])
    func text(text: String) throws {
        try queue.write { db in
            try insert(1, text, [], db)
            let stored = try #require(try Row.fetchOne(db, sql: "SELECT CAST(text AS BLOB), typeof(text) FROM t"))
            #expect(Array(try stored.decode(Data.self, atIndex: 0)) == Array(text.utf8))
            #expect(try stored.decode(String.self, atIndex: 1) == "text")
        }
    }

    @Test("A missing text is stored as NULL, and empty bytes are stored as a blob")
    func missingValues() throws {
        try queue.write { db in
            try insert(nil, nil, [], db)
            let types = try Row.fetchOne(db, sql: "SELECT typeof(number), typeof(text), typeof(bytes) FROM t")
            #expect(types.map { Array($0.databaseValues) } == ["integer", "null", "blob"].map(\.databaseValue))
        }
    }

    @Test(
        "Numbers and bytes are read as they were bound",
        arguments: [Int64.min, -1, 0, .max])
    func roundTrip(number: Int64) throws {
        try queue.write { db in
            try insert(number, "a", [0, 255, 7], db)
            var rows: [(Int64, [UInt8])] = []
            let statement = try BoundStatement(db, sql: "SELECT number, bytes FROM t WHERE number = ?")
            try statement.bind(number, at: 1)
            try statement.run { rows.append(($0.int64(0), Array($0.bytes(1)))) }
            #expect(rows.map(\.0) == [number])
            #expect(rows.map(\.1) == [[0, 255, 7]])
        }
    }

    @Test("An error names the violated constraint, and the statement can be used again")
    func violatedConstraint() throws {
        try queue.write { db in
            try insert(1, "a", [], db)
            #expect {
                try insert(1, "b", [], db)
            } throws: { error in
                let error = error as? DatabaseError
                return error?.resultCode == .SQLITE_CONSTRAINT && error?.message?.contains("t.number") == true
            }
            try insert(2, "c", [], db)
            #expect(try String.fetchAll(db, sql: "SELECT text FROM t ORDER BY number") == ["a", "c"])
        }
    }

    @Test("A value for a parameter that the statement does not have is refused")
    func noParameter() throws {
        try queue.write { db in
            let statement = try BoundStatement(db, sql: "SELECT ?")
            #expect(throws: DatabaseError.self) { try statement.bind(Int64(1), at: 2) }
        }
    }
}
