import Foundation

/// Writes a file of messages: given the entries in order, it leaves a whole file or none.
struct MessageFileWriter: ~Copyable {
    private static let bytesAtOnce = 1 << 20

    private let number: Int64
    private let day: Day
    private let folder: String
    private let partial: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var sum = MessageFile.Checksum()
    private var groups: [UInt8] = []
    private var filter: MessageFilter
    private var count = 0

    /// - Parameter most: the most entries that come.
    init(_ number: Int64, of day: Day, in folder: String, atMost most: Int) throws {
        (self.number, self.day, self.folder) = (number, day, folder)
        partial = MessageFile.path(number, in: folder) + ".partial"
        filter = MessageFilter(count: most)
        descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("cannot be made", partial) }
        // The head comes last.
        buffer = Array(repeating: 0, count: MessageFile.Head.byteCount)
        try write()
    }

    deinit { close(descriptor) }

    mutating func append(_ entry: MessageEntry) throws {
        if count % MessageFile.Layout.entriesInGroup == 0 {
            withUnsafeBytes(of: entry.key.high.littleEndian) { groups.append(contentsOf: $0) }
        }
        filter.insert(entry.key)
        entry.append(to: &buffer)
        count += 1
        guard buffer.count >= Self.bytesAtOnce else { return }
        sum.add(buffer)
        try write()
    }

    /// Gives the file its name. When this returns, the file survives the power going out.
    mutating func finish() throws -> MessageFile {
        sum.add(buffer)
        let tail = groups + filter.bytes
        buffer += tail
        try write()
        let head = MessageFile.Head(
            number: number, day: day, count: count, filterBlocks: filter.byteCount / MessageFilter.blockBytes,
            entriesChecksum: sum.value, tailChecksum: MessageFile.Checksum.of(tail))
        guard pwrite(descriptor, head.bytes, MessageFile.Head.byteCount, 0) == MessageFile.Head.byteCount,
            fsync(descriptor) == 0, rename(partial, MessageFile.path(number, in: folder)) == 0
        else { throw Self.failure("cannot be written", partial) }
        try AtomicFolder.sync(folder)
        return try MessageFile(number, in: folder)
    }

    /// Deletes a file that is not finished.
    consuming func abandon() { unlink(partial) }

    private mutating func write() throws {
        var offset = 0
        while offset < buffer.count {
            let written = buffer.withUnsafeBytes { bytes in
                Foundation.write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
            }
            guard written > 0 else { throw Self.failure("cannot be written", partial) }
            offset += written
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func failure(_ what: String, _ path: String) -> WorkspaceError {
        WorkspaceError(.dataFolder, "\(path) \(what): \(String(cString: strerror(errno)))")
    }
}
