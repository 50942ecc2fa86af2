import GRDB

@testable import WorkspaceServer

/// The reader of damaged databases takes any bytes for a file, and the same for its log, and hands over rows that have the
/// shape of a known table, or none.
enum PageFuzzing {
    private static let shapes: [RecordShape] = {
        do {
            return try DatabaseQueue().writeWithoutTransaction { db in
                try DaySchema.prepare(db)
                return try RecordShape.all(db)
            }
        } catch {
            fatalError("\(error)")
        }
    }()

    /// The first byte says how many pages there are: what is given is spread over the beginnings of some.
    static func run(_ bytes: [UInt8]) {
        let pageCount = Int(bytes.first ?? 0) % 8 + 1
        var file = [UInt8](repeating: 0, count: pageCount * SQLitePages.pageSize)
        let share = max(1, bytes.count / pageCount)
        for (index, byte) in bytes.dropFirst().enumerated() {
            let place = index / share * SQLitePages.pageSize + index % share
            if place < file.count { file[place] = byte }
        }
        for log in [nil, ByteFile(bytes)] {
            var recovery = SQLiteRecovery(SQLitePages(ByteFile(file), log: log), shapes: shapes)
            do {
                _ = try recovery.forEachRow { row in
                    guard row.shape.fits(row.values, rowid: row.rowid) else { fatalError("a row of another shape") }
                }
            } catch {
                fatalError("\(error)")
            }
        }
    }
}
