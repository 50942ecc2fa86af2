import Foundation

/// The pages of a database as its last transaction left them, from the file and from its log.
///
/// Nothing in the file is believed without a look, and nothing in it makes this fail: a page that is not there is nil.
package struct SQLitePages {
    /// All databases of a workspace have pages of this size, so it is known also where the file's header is damaged.
    package static let pageSize = 4_096

    /// Pages are counted from 1.
    package let count: Int
    package let log: SQLiteLog
    private let file: ByteFile
    private let logFile: ByteFile?

    package init(_ file: ByteFile, log logFile: ByteFile? = nil) {
        (self.file, self.logFile) = (file, logFile)
        let log = logFile.map(SQLiteLog.init) ?? SQLiteLog()
        self.log = log
        let inFile = file.byteCount / Self.pageSize
        if let withLog = log.pageCount {
            // A file may be longer than its database until the log is in it; after a damaged frame of the log its
            // length is not known.
            let most = inFile + log.committed.count
            count = log.damaged.isEmpty ? min(withLog, most) : min(max(withLog, inFile), most)
        } else {
            count = inFile
        }
    }

    /// - Throws: what the system says when the file or its log cannot be opened. A log need not be there.
    package init(path: String) throws {
        let log = path + "-wal"
        self.init(try ByteFile(path: path), log: try ByteFile.exists(log) ? ByteFile(path: log) : nil)
    }

    package func page(_ number: Int) -> [UInt8]? {
        guard number > 0, number <= count else { return nil }
        if let place = log.committed[number] { return logFile?.bytes(at: place, count: Self.pageSize) }
        return file.bytes(at: (number - 1) * Self.pageSize, count: Self.pageSize)
    }

    /// A page of the log by its place there.
    package func page(atPlaceInLog place: Int) -> [UInt8]? { logFile?.bytes(at: place, count: Self.pageSize) }

    /// Pages that hold nothing any more, but may still have the bytes of rows that were deleted. Empty unless the list
    /// is whole: otherwise the free pages are not known.
    package func freePages() -> Set<Int> {
        guard let head = page(1), head.starts(with: Array("SQLite format 3\0".utf8)) else { return [] }
        let expected = head.bigEndian(at: 36, bytes: 4)
        var (free, trunk) = (Set<Int>(), head.bigEndian(at: 32, bytes: 4))
        while trunk != 0 {
            guard let page = page(trunk), free.insert(trunk).inserted else { return [] }
            let leaves = page.bigEndian(at: 4, bytes: 4)
            guard leaves <= Self.pageSize / 4 - 2 else { return [] }
            for leaf in 0..<leaves {
                let number = page.bigEndian(at: 8 + 4 * leaf, bytes: 4)
                guard (1...count).contains(number), free.insert(number).inserted else { return [] }
            }
            trunk = page.bigEndian(at: 0, bytes: 4)
        }
        return free.count == expected ? free : []
    }
}
