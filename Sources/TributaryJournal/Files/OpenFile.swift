/// An open file, closed when its last user releases it.
///
/// Reads and writes give their offset, so threads can share it.
final class OpenFile: Sendable {
    private let files: any FileSystem
    private let descriptor: Int32

    init(_ path: String, _ access: FileAccess, in files: any FileSystem) throws(JournalError) {
        descriptor = try files.openFile(path, access)
        self.files = files
    }

    deinit { files.closeFile(descriptor) }

    func status() throws(JournalError) -> FileStatus { try files.fileStatus(descriptor) }

    func read(at offset: Int, count: Int) throws(JournalError) -> [UInt8] {
        try files.readFile(descriptor, at: offset, count: count)
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(JournalError) {
        try files.writeFile(descriptor, bytes, at: offset)
    }

    func truncate(to size: Int) throws(JournalError) { try files.truncateFile(descriptor, to: size) }

    func sync() throws(JournalError) { try files.syncFile(descriptor) }

    func lock() throws(JournalError) { try files.lockFile(descriptor) }

    func unlock() { files.unlockFile(descriptor) }
}
