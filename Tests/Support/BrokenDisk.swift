import Tributary
package import TributaryJournal

/// The real files, until a test says that the disk is broken.
package final class BrokenDisk: FileSystem {
    /// An operation on a file or a folder.
    package enum Operation: Sendable, Equatable { case list, open, make, read, write, remove, move }

    private struct State: Sendable {
        var rule: (@Sendable (Operation, String) -> Int32?)?
        var paths: [Int32: String] = [:]
        var syncs = 0
        var syncedFolders: [String] = []
    }

    private let base = PosixFileSystem()
    private let state = LockBox(State())

    package init() {}

    /// From now on an operation fails with the error number that the rule gives; nil lets it through.
    package func fail(_ rule: @escaping @Sendable (Operation, String) -> Int32?) {
        state.withLock { $0.rule = rule }
    }

    /// Every operation that needs room fails: writing, and making files.
    package func fill(_ errno: Int32 = 28) {
        fail { operation, _ in [.write, .make].contains(operation) ? errno : nil }
    }

    /// All operations work again.
    package func repair() { state.withLock { $0.rule = nil } }

    /// Files that were brought to the medium so far.
    package var syncs: Int { state.withLock { $0.syncs } }

    /// Folders whose names were brought to the medium so far.
    package var syncedFolders: [String] { state.withLock { $0.syncedFolders } }

    private func check(_ operation: Operation, _ path: String) throws(JournalError) {
        let rule = state.withLock { $0.rule }
        if let errno = rule?(operation, path) { throw JournalError(errno: errno, "\(operation)", path) }
    }

    private func path(of descriptor: Int32) -> String { state.withLock { $0.paths[descriptor] } ?? "" }

    package func makeFolder(_ path: String) throws(JournalError) {
        // A folder that is there needs no room.
        if (try? base.listFolder(path)) == nil { try check(.make, path) }
        try base.makeFolder(path)
    }

    package func listFolder(_ path: String) throws(JournalError) -> [FolderEntry] {
        try check(.list, path)
        return try base.listFolder(path)
    }

    package func syncFolder(_ path: String) throws(JournalError) {
        try base.syncFolder(path)
        state.withLock { $0.syncedFolders.append(path) }
    }

    package func openFile(_ path: String, _ access: FileAccess) throws(JournalError) -> Int32 {
        switch access {
        case .create, .replace: try check(.make, path)
        case .read, .update, .createOrUpdate: try check(.open, path)
        }
        let descriptor = try base.openFile(path, access)
        state.withLock { $0.paths[descriptor] = path }
        return descriptor
    }

    package func closeFile(_ descriptor: Int32) {
        state.withLock { _ = $0.paths.removeValue(forKey: descriptor) }
        base.closeFile(descriptor)
    }

    package func fileStatus(_ descriptor: Int32) throws(JournalError) -> FileStatus { try base.fileStatus(descriptor) }
    package func fileStatus(at path: String) throws(JournalError) -> FileStatus { try base.fileStatus(at: path) }

    package func readFile(_ descriptor: Int32, at offset: Int, count: Int) throws(JournalError) -> [UInt8] {
        try check(.read, path(of: descriptor))
        return try base.readFile(descriptor, at: offset, count: count)
    }

    package func writeFile(_ descriptor: Int32, _ bytes: [UInt8], at offset: Int) throws(JournalError) {
        try check(.write, path(of: descriptor))
        try base.writeFile(descriptor, bytes, at: offset)
    }

    package func truncateFile(_ descriptor: Int32, to size: Int) throws(JournalError) {
        try base.truncateFile(descriptor, to: size)
    }

    package func syncFile(_ descriptor: Int32) throws(JournalError) {
        state.withLock { $0.syncs += 1 }
        try base.syncFile(descriptor)
    }

    package func lockFile(_ descriptor: Int32) throws(JournalError) { try base.lockFile(descriptor) }
    package func unlockFile(_ descriptor: Int32) { base.unlockFile(descriptor) }

    package func moveFile(_ path: String, to newPath: String) throws(JournalError) {
        try check(.move, newPath)
        try base.moveFile(path, to: newPath)
    }

    package func linkFile(_ path: String, to newPath: String) throws(JournalError) -> Bool {
        try check(.make, newPath)
        return try base.linkFile(path, to: newPath)
    }

    package func removeFile(_ path: String) throws(JournalError) {
        try check(.remove, path)
        try base.removeFile(path)
    }
}
