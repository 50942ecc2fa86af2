import Foundation
import GRDB
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

/// The tests compare the reader of pages with SQLite, and give it invalid files.
@Suite("Rows out of pages", .timeLimit(.minutes(30))) struct SQLiteRecoveryTests {
    private let folder: TemporaryFolder
    private var file: String { folder.path + "/day.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    /// The sizes of bodies around the limits at which a cell continues on other pages.
    private static let sizes = [
        0, 1, 100, 3_900, 3_980, 4_060, 4_061, 4_062, 4_070, 4_096, 8_100, 8_200, 40_000, 70_000,
    ]

    private func makeDay(_ change: (Database) throws -> Void = { _ in }) throws {
        let queue = try DatabaseQueue(path: file)
        try queue.writeWithoutTransaction { db in
            try DaySchema.prepare(db)
            try db.inTransaction {
                for (index, size) in (Self.sizes + Array(repeating: 200, count: 500)).enumerated() {
                    let body = #"{"x":"\#(String(repeating: "x", count: size))"}"#
                    try db.execute(
                        sql: """
                            INSERT INTO event VALUES (?, ?, CAST(? AS TEXT), 'track', NULL, ?, '', ?, NULL, ?, 0, 1, ?)
                            """,
                        arguments: [
                            Int64(index + 1) << 20, Int64.max - Int64(index % 3), Data("m\u{0}-\(index)".utf8),
                            "u-\(index)",
                            -Int64(index), Int64.min, Data(body.utf8),
                        ])
                }
                return .commit
            }
            try db.execute(sql: "INSERT INTO trace VALUES (7, 1, 'm', 1, 5, 6, x'7b7d', 8)")
            try db.execute(sql: "INSERT INTO rejected VALUES (3, 1, 'i', NULL, 'code', 'reason', 6, x'5b5d')")
            try db.execute(sql: "INSERT INTO signal VALUES (9, 1, 's', 'tap', NULL, NULL, 5, 6, x'7b7d')")
            try db.execute(sql: "INSERT INTO source VALUES (1, 'WK')")
            try change(db)
        }
        try queue.close()
    }

    private func salvaged(_ pages: SQLitePages) throws -> (rows: [Row], tables: [Salvage.Table]) {
        let queue = try DatabaseQueue()
        return try queue.writeWithoutTransaction { db in
            try DaySchema.prepare(db)
            var salvage = try Salvage(into: db)
            let tables = try salvage.copy(DaySchema.tables + ["source"], from: pages)
            return (try Self.rows(db), tables)
        }
    }

    /// All rows, with texts as their bytes.
    private static func rows(_ db: Database) throws -> [Row] {
        try Row.fetchAll(db, sql: "SELECT *, hex(messageId), hex(userId) FROM event ORDER BY sequence")
            + (DaySchema.tables + ["source"]).filter { $0 != "event" }.flatMap {
                try Row.fetchAll(db, sql: "SELECT * FROM \($0) ORDER BY 1")
            }
    }

    @Test("The recovery reads the same rows as SQLite")
    func sound() throws {
        try makeDay()
        let queue = try DatabaseQueue(path: file)
        let expected = try queue.read(Self.rows)
        try queue.close()
        let (rows, tables) = try salvaged(try SQLitePages(path: file))
        #expect(rows == expected)
        #expect(tables.allSatisfy { $0.lost == 0 })
        #expect(tables.first?.expected == Self.sizes.count + 500)
    }

    @Test("The recovery reads pages from the write-ahead log", arguments: [false, true])
    func log(isCutOff: Bool) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
        let pool = try DatabasePool(path: file, configuration: configuration)
        try pool.writeWithoutTransaction(DaySchema.prepare)
        for number in 1...50 {
            try pool.write { db in
                try db.execute(
                    sql: "INSERT INTO signal VALUES (?, 1, ?, 'tap', NULL, NULL, 5, 6, x'7b7d')",
                    arguments: [number, "s-\(number)"])
            }
        }
        let (main, log) = (try bytes(file), try bytes(file + "-wal"))
        try pool.close()
        #expect(log.count > 100_000)
        let rest = isCutOff ? Array(log.prefix(log.count / 2)) : log
        let (_, tables) = try salvaged(SQLitePages(ByteFile(main), log: ByteFile(rest)))
        let saved = try #require(tables.first { $0.name == "signal" }).saved
        #expect(isCutOff ? (10..<50).contains(saved) : saved == 50, "\(saved)")
        // The test flips one bit in the first third of the log: SQLite drops the rest of the log.
        var flipped = log
        flipped[log.count / 3] ^= 1
        let pages = SQLitePages(ByteFile(main), log: ByteFile(flipped))
        #expect(pages.log.losesTransactions)
        #expect(try salvaged(pages).tables.first { $0.name == "signal" }?.saved == 50)
    }

    @Test("The recovery does not restore deleted rows")
    func deleted() throws {
        try makeDay { db in try db.execute(sql: "DELETE FROM event WHERE sequence > 20 << 20") }
        #expect(try salvaged(try SQLitePages(path: file)).tables.first?.saved == 20)
    }

    @Test("A row whose JSON is damaged is lost and reported")
    func unusable() throws {
        try makeDay { db in try db.execute(sql: "UPDATE event SET body = x'7b7b' WHERE sequence = 1 << 20") }
        let table = try #require(try salvaged(try SQLitePages(path: file)).tables.first)
        #expect(table.lost == 1)
        #expect(table.expected == Self.sizes.count + 500)
    }

    /// A damaged file may have a tree that is its own branch, a cell that is larger than the file, or more cells than
    /// bytes. No file may end the process, or take longer than its length.
    @Test(
        "Random bytes in a database never crash the recovery", arguments: 0..<60 as Range<UInt64>)
    func hostile(seed: UInt64) throws {
        var chance = Chance(state: seed &* 0x9E37_79B9 &+ 1)
        try makeDay()
        var main = try bytes(file)
        switch seed % 4 {
        case 0: main = (0..<SQLitePages.pageSize * 8).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
        case 1:
            for _ in 0..<2_000 {
                main[Int.random(in: main.indices, using: &chance)] = .random(in: 0...255, using: &chance)
            }
        case 2:
            // The test damages the heads of pages, because few bytes there decide most.
            for page in stride(from: 0, to: main.count, by: SQLitePages.pageSize) {
                for offset in 0..<40 where Bool.random(using: &chance) {
                    main[page + offset] = [0, 1, 2, 5, 10, 13, 0x7F, 0x80, 0xFF].randomElement(using: &chance) ?? 0
                }
            }
        default: main = Array(main.prefix(Int.random(in: 0..<main.count, using: &chance)))
        }
        let log = (0..<9_000).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
        let (_, tables) = try salvaged(SQLitePages(ByteFile(main), log: seed % 3 == 0 ? ByteFile(log) : nil))
        #expect(tables.allSatisfy { $0.saved <= $0.expected })
    }

    @Test("Truncated numbers, records and pages are skipped")
    func limits() {
        var offset = 0
        let (short, long): ([UInt8], [UInt8]) = ([0x80, 0x80], Array(repeating: 0xFF, count: 9))
        #expect(short.varint(&offset) == nil)
        offset = 0
        #expect(long.varint(&offset) == -1)
        #expect(SQLiteValue.record([]) == nil)
        #expect(SQLiteValue.record([0]) == nil)
        #expect(SQLiteValue.record([2, 10]) == nil)
        #expect(SQLiteValue.record([2, 1]) == nil)
        #expect(SQLiteValue.record([2, 1, 0xFF]) == [.integer(-1)])
        #expect(SQLiteValue.record([2, 1, 0xFF, 0]) == nil)
        #expect(SQLiteValue.record([11, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0]) == nil)
        #expect(SQLitePages(ByteFile([])).page(1) == nil)
        #expect(SQLitePages(ByteFile([1, 2, 3])).freePages().isEmpty)
    }

    @Test("The file of a day in unreadable is recognised by its name")
    func names() {
        #expect(DaySalvage.day(ofFile: "2025-11-22.sqlite")?.description == "2025-11-22")
        #expect(DaySalvage.day(ofFile: "3-2025-11-22.sqlite")?.description == "2025-11-22")
        for name in ["2025-11-22.sqlite.saved", "2025-11-22.sqlite-wal", "workspace.sqlite", "ab-1", ".sqlite"] {
            #expect(DaySalvage.day(ofFile: name) == nil)
        }
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try #require(FileManager.default.contents(atPath: path)))
    }

    private struct Chance: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
