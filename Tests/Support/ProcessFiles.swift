import Tributary
package import TributaryJournal

/// The real files as another process has them: what one process knows of the files that it has open does not help it here.
package final class ProcessFiles: FileSystem {
    private let base = PosixFileSystem()
    private let process: UInt64
    private let locked = LockBox(0)

    package init(_ process: UInt64) { self.process = process << 48 }

    /// How often a lock was asked for.
    package var locks: Int { locked.withLock { $0 } }

    private func own(_ status: FileStatus) -> FileStatus {
        let identity = status.identity
        return FileStatus(
            size: status.size, identity: FileIdentity(device: identity.device ^ process, number: identity.number))
    }

    package func makeFolder(_ path: String) throws(JournalError) { try base.makeFolder(path) }
    package func listFolder(_ path: String) throws(JournalError) -> [FolderEntry] { try base.listFolder(path) }
    package func syncFolder(_ path: String) throws(JournalError) { try base.syncFolder(path) }
    package func openFile(_ path: String, _ access: FileAccess) throws(JournalError) -> Int32 {
        try base.openFile(path, access)
    }
    package func closeFile(_ descriptor: Int32) { base.closeFile(descriptor) }
    package func fileStatus(_ descriptor: Int32) throws(JournalError) -> FileStatus {
        own(try base.fileStatus(descriptor))
    }
    package func fileStatus(at path: String) throws(JournalError) -> FileStatus {
        own(try base.fileStatus(at: path))
    }
    package func readFile(_ descriptor: Int32, at offset: Int, count: Int) throws(JournalError) -> [UInt8] {
        try base.readFile(descriptor, at: offset, count: count)
    }
    package func writeFile(_ descriptor: Int32, _ bytes: [UInt8], at offset: Int) throws(JournalError) {
        try base.writeFile(descriptor, bytes, at: offset)
    }
    package func truncateFile(_ descriptor: Int32, to size: Int) throws(JournalError) {
        try base.truncateFile(descriptor, to: size)
    }
    package func syncFile(_ descriptor: Int32) throws(JournalError) { try base.syncFile(descriptor) }
    package func lockFile(_ descriptor: Int32) throws(JournalError) {
        locked.withLock { $0 += 1 }
        try base.lockFile(descriptor)
    }
    package func unlockFile(_ descriptor: Int32) { base.unlockFile(descriptor) }
    package func moveFile(_ path: String, to newPath: String) throws(JournalError) {
        try base.moveFile(path, to: newPath)
    }
    package func linkFile(_ path: String, to newPath: String) throws(JournalError) -> Bool {
        try base.linkFile(path, to: newPath)
    }
    package func removeFile(_ path: String) throws(JournalError) { try base.removeFile(path) }
}
