/// The write-ahead log beside a database: pages that are newer than those of the file.
///
/// https://sqlite.org/fileformat2.html#the_write_ahead_log
struct SQLiteLog {
    /// Where the newest committed content of a page begins.
    private(set) var committed: [Int: Int] = [:]
    /// Where pages begin that the database would not look at, because the log is damaged before them.
    private(set) var behindDamage: [Int] = []
    /// How many pages the database has with the log; nil when nothing is committed.
    private(set) var pageCount: Int?
    /// Whether transactions stand behind the damage, which the database drops without a word.
    private(set) var losesTransactions = false

    private static let headBytes = 32
    private static let frameHeadBytes = 24

    init() {}

    init(_ file: ByteFile) {
        guard let head = file.bytes(at: 0, count: Self.headBytes) else { return }
        let magic = head.bigEndian(at: 0, bytes: 4)
        var sum = Checksum(isBigEndian: magic == 0x377F_0683)
        sum.add(head[0..<24])
        var isSound =
            magic & ~1 == 0x377F_0682 && head.bigEndian(at: 8, bytes: 4) == SQLitePages.pageSize && sum == head[24..<32]
        var salts = isSound ? Array(head[16..<24]) : nil
        var pending: [Int: Int] = [:]
        let frameBytes = Self.frameHeadBytes + SQLitePages.pageSize
        for start in stride(from: Self.headBytes, through: file.byteCount - frameBytes, by: frameBytes) {
            guard let frame = file.bytes(at: start, count: Self.frameHeadBytes) else {
                isSound = false
                continue
            }
            // Frames of an earlier round of the log follow behind the newest one.
            let frameSalts = Array(frame[8..<16])
            if salts == nil { salts = frameSalts }
            guard frameSalts == salts else {
                isSound = false
                continue
            }
            let (number, size) = (frame.bigEndian(at: 0, bytes: 4), frame.bigEndian(at: 4, bytes: 4))
            let place = start + Self.frameHeadBytes
            if isSound, let page = file.bytes(at: place, count: SQLitePages.pageSize) {
                sum.add(frame[0..<8])
                sum.add(page[...])
                isSound = sum == frame[16..<24] && number > 0
            } else {
                isSound = false
            }
            guard isSound else {
                // The first one may be what a death cut off in the middle.
                if size > 0, !behindDamage.isEmpty { losesTransactions = true }
                behindDamage.append(place)
                continue
            }
            pending[number] = place
            guard size > 0 else { continue }
            committed.merge(pending) { $1 }
            pending = [:]
            pageCount = size
        }
    }

    /// The two sums that go through the whole log.
    private struct Checksum {
        let isBigEndian: Bool
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

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
