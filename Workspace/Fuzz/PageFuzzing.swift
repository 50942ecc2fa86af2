import GRDB

@testable import WorkspaceCore
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

    /// The first byte says how many pages there are: what is given is spread over the beginnings of some, once as a file and
    /// once as the frames of its log.
    static func run(_ bytes: [UInt8]) {
        let pageCount = Int(bytes.first ?? 0) % 8 + 1
        let file = spread(bytes.dropFirst(), over: pageCount, every: SQLitePages.pageSize)
        let log = log(bytes.dropFirst(), frames: pageCount, isWhole: (bytes.first ?? 0) & 0x80 == 0)
        for log in [nil, ByteFile(bytes), ByteFile(log)] {
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

    private static func spread(_ bytes: ArraySlice<UInt8>, over count: Int, every size: Int) -> [UInt8] {
        var file = [UInt8](repeating: 0, count: count * size)
        let share = max(1, bytes.count / count)
        for (index, byte) in bytes.enumerated() {
            let place = index / share * size + index % share
            if place < file.count { file[place] = byte }
        }
        return file
    }

    /// - Parameter isWhole: whether the sums are right; by chance they never are.
    private static func log(_ bytes: ArraySlice<UInt8>, frames: Int, isWhole: Bool) -> [UInt8] {
        let (head, frame) = (32, 24 + SQLitePages.pageSize)
        var log =
            [0x37, 0x7F, 0x06, 0x82, 0, 0x2D, 0xE2, 0x18, 0, 0, 0x10, 0] + [UInt8](repeating: 0, count: head - 12)
        log += spread(bytes, over: frames, every: frame)
        guard isWhole else { return log }
        var sums: (UInt32, UInt32) = (0, 0)
        sum(log[0..<24], &sums)
        write(sums, to: &log, at: 24)
        for start in stride(from: head, to: log.count, by: frame) {
            // The salts of the head.
            for place in start + 8..<start + 16 { log[place] = 0 }
            sum(log[start..<start + 8], &sums)
            sum(log[start + 24..<start + frame], &sums)
            write(sums, to: &log, at: start + 16)
        }
        return log
    }

    private static func sum(_ bytes: ArraySlice<UInt8>, _ sums: inout (UInt32, UInt32)) {
        bytes.withUnsafeBytes { bytes in
            for place in stride(from: 0, to: bytes.count, by: 8) {
                sums.0 &+= UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)) &+ sums.1
                sums.1 &+=
                    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)) &+ sums.0
            }
        }
    }

    private static func write(_ sums: (UInt32, UInt32), to log: inout [UInt8], at place: Int) {
        for (offset, sum) in [(0, sums.0), (4, sums.1)] {
            for index in 0..<4 { log[place + offset + index] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * index)) }
        }
    }
}
