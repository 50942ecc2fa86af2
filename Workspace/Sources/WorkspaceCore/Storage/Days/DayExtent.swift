package import GRDB

/// The range of row numbers of a day, so that a search need not open every file.
package struct DayExtent: Sendable, Equatable {
    package var stream: ClosedRange<Int64>?
    package var rejected: ClosedRange<Int64>?
    var mayHaveTraces = false
    /// The sources that the day names, with their write keys.
    package var sources: [Int64: String] = [:]

    package init() {}

    package init(_ db: Database) throws {
        for table in DaySchema.streamTables {
            if let range = try Self.range(db, table) { stream = Self.union(stream, range) }
        }
        rejected = try Self.range(db, "rejected")
        mayHaveTraces = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM trace)") ?? true
        sources = try Self.sources(db)
    }

    /// The numbers that rows of a list are counted with.
    package func range(of list: RowQuery.List) -> ClosedRange<Int64>? { list == .rejected ? rejected : stream }

    package mutating func add(_ row: EventBlock.Row) {
        if row.identity.kind == .trace { mayHaveTraces = true }
        if row.identity.kind == .rejected {
            rejected = Self.union(rejected, row.number...row.number)
        } else {
            stream = Self.union(stream, row.number...row.number)
        }
    }

    package mutating func add(_ source: Int64, _ writeKey: String) {
        if sources[source]?.isEmpty ?? true { sources[source] = writeKey }
    }

    package static func sources(_ db: Database) throws -> [Int64: String] {
        let rows = try Row.fetchAll(db, sql: "SELECT id, writeKey FROM source")
        return Dictionary(
            try rows.map { (try $0.decode(Int64.self, atIndex: 0), try $0.decode(String.self, atIndex: 1)) },
            uniquingKeysWith: { first, _ in first })
    }

    private static func range(_ db: Database, _ table: String) throws -> ClosedRange<Int64>? {
        // Two questions, because one with both is answered by reading the whole table.
        guard let low = try Int64.fetchOne(db, sql: "SELECT min(sequence) FROM \(table)"),
            let high = try Int64.fetchOne(db, sql: "SELECT max(sequence) FROM \(table)")
        else { return nil }
        return low...max(low, high)
    }

    private static func union(_ left: ClosedRange<Int64>?, _ right: ClosedRange<Int64>) -> ClosedRange<Int64> {
        guard let left else { return right }
        return min(left.lowerBound, right.lowerBound)...max(left.upperBound, right.upperBound)
    }
}
