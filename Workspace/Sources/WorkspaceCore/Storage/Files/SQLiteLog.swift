import GRDB

/// The write-ahead log beside a database: pages that are newer than those of the file.
///
/// The checksum of a frame continues that of the frame before. SQLite reads up to the first frame with a wrong checksum
/// and drops the rest without an error. Here each frame is compared with the frame before it, so a damaged frame costs
/// at most itself and the next one.
///
/// https://sqlite.org/fileformat2.html#the_write_ahead_log
package struct SQLiteLog {
    /// Where the newest committed content of a page begins, including pages that the database would drop.
    private(set) var committed: [Int: Int] = [:]
    /// Where pages with a wrong sum begin.
    package private(set) var damaged: [Int] = []
    /// How many pages the database has with the log; nil when nothing is committed.
    private(set) var pageCount: Int?
    /// How many transactions the database would drop.
    private(set) var droppedTransactions = 0

    /// Whether transactions that were promised would be dropped. The last one alone may be the rest of a transaction
    /// that was not promised before a power cut.
    var losesTransactions: Bool { droppedTransactions > 1 }

    private static let headBytes = 32
    private static let frameHeadBytes = 24

    package init() {}

    package init(_ file: ByteFile) {
        guard let head = file.bytes(at: 0, count: Self.headBytes) else { return }
        let magic = head.bigEndian(at: 0, bytes: 4)
        var sum = Checksum(isBigEndian: magic == 0x377F_0683)
        sum.add(head[0..<24])
        // Whether the database would read on.
        var isWhole =
            magic & ~1 == 0x377F_0682 && head.bigEndian(at: 8, bytes: 4) == SQLitePages.pageSize && sum == head[24..<32]
        var salts = isWhole ? Array(head[16..<24]) : nil
        var pending: [Int: Int] = [:]
        let frameBytes = Self.frameHeadBytes + SQLitePages.pageSize
        for start in stride(from: Self.headBytes, through: file.byteCount - frameBytes, by: frameBytes) {
            guard let frame = file.bytes(at: start, count: Self.frameHeadBytes) else {
                isWhole = false
                continue
            }
            // Frames of an earlier round of the log follow behind the newest one.
            let frameSalts = Array(frame[8..<16])
            if salts == nil { salts = frameSalts }
            guard frameSalts == salts else {
                isWhole = false
                continue
            }
            let (number, size) = (frame.bigEndian(at: 0, bytes: 4), frame.bigEndian(at: 4, bytes: 4))
            let place = start + Self.frameHeadBytes
            let page = file.bytes(at: place, count: SQLitePages.pageSize)
            sum.add(frame[0..<8])
            if let page { sum.add(page[...]) }
            let isSound = page != nil && sum == frame[16..<24] && number > 0
            sum = Checksum(stored: frame[16..<24], isBigEndian: sum.isBigEndian)
            if isSound { pending[number] = place } else { damaged.append(place) }
            isWhole = isWhole && isSound
            guard size > 0 else { continue }
            if !isWhole { droppedTransactions += 1 }
            // The size that a damaged frame says is not believed.
            guard isSound else { continue }
            committed.merge(pending) { $1 }
            pending = [:]
            pageCount = size
        }
    }

    /// The log beside a database; without a file it is empty.
    /// - Throws: what the system says when there is one that cannot be opened.
    static func beside(_ database: String) throws -> SQLiteLog {
        let path = database + "-wal"
        return try ByteFile.exists(path) ? SQLiteLog(ByteFile(path: path)) : SQLiteLog()
    }

    /// Makes sure that opening a database loses nothing, before it is opened. No process may have it open.
    /// - Throws: `DatabaseError` about damage when it would.
    package static func check(_ database: String) throws {
        let log = try beside(database)
        guard log.losesTransactions else { return }
        throw DatabaseError(
            resultCode: .SQLITE_CORRUPT,
            message: "its log is damaged, and \(log.droppedTransactions) transactions stand behind the damage")
    }

    /// The two sums that go through the whole log.
    private struct Checksum {
        let isBigEndian: Bool
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        /// As a frame says it.
        init(stored bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
            self.isBigEndian = isBigEndian
            let bytes = Array(bytes)
            first = UInt32(truncatingIfNeeded: bytes.bigEndian(at: 0, bytes: 4))
            second = UInt32(truncatingIfNeeded: bytes.bigEndian(at: 4, bytes: 4))
        }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                    first &+= word(bytes, offset) &+ second
                    second &+= word(bytes, offset + 4) &+ first
                }
            }
        }

        private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }

        static func == (sum: Checksum, bytes: ArraySlice<UInt8>) -> Bool {
            let bytes = Array(bytes)
            return Int(sum.first) == bytes.bigEndian(at: 0, bytes: 4)
                && Int(sum.second) == bytes.bigEndian(at: 4, bytes: 4)
        }
    }
}
