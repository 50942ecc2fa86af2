@testable import TributaryJournal

/// The real files, until a test sets a rule. It also counts operations.
final class FaultyFileSystem: FileSystem {
    /// An operation on the disk.
    enum Operation: Sendable, Equatable {
        case makeFolder, listFolder, syncFolder, create, open, replace, status, read, write, truncate, sync, lock, move
        case remove

        /// Whether the operation changes the disk.
        var changes: Bool { [.makeFolder, .create, .replace, .write, .truncate, .move, .remove].contains(self) }
    }

    /// The outcome that a rule gives an operation.
    enum Fault: Sendable {
        case error(Int32)
        /// A number of bytes is written, then the write fails.
        case partialWrite(Int, Int32)
        /// The operation is reported as done without being done; for locks only.
        case nothing
    }

    struct Counts: Sendable {
        var operations = 0
        var bytesRead = 0
        var writes = 0
        var opens = 0
    }

    private struct State: Sendable {
        var rule: @Sendable (Operation, String) -> Fault? = { _, _ in nil }
        var counts = Counts()
        var changesUntilDeath: Int?

        /// What happens to that operation because the death is near.
        mutating func deadly(_ operation: Operation) -> Fault? {
            guard operation.changes, let left = changesUntilDeath else { return nil }
            if left == 0 { return .error(5) }
            changesUntilDeath = left - 1
            // The last change that comes through is half of one, if it can be halved.
            return left == 1 && operation == .write ? .partialWrite(20, 5) : nil
        }
    }

    private let base = PosixFileSystem()
    private let state = Locked(State())

    /// What was done since the last call.
    func takeCounts() -> Counts {
        state.withLock { state in
            defer { state.counts = Counts() }
            return state.counts
        }
    }

    /// Decides about every operation on every file from now on.
    func setRule(_ rule: @escaping @Sendable (Operation, String) -> Fault?) {
        state.withLock { $0.rule = rule }
    }

    func clearRule() { setRule { _, _ in nil } }

    /// Lets so many more changes reach the disk, then none, as if the process had died there.
    func die(afterChanges count: Int) { state.withLock { $0.changesUntilDeath = count } }

    /// Whether the death has come.
    var isDead: Bool { state.withLock { $0.changesUntilDeath == 0 } }

    private func check(_ operation: Operation, _ path: String = "") throws(JournalError) -> Fault? {
        let (fault, rule) = state.withLock { state -> (Fault?, @Sendable (Operation, String) -> Fault?) in
            state.counts.operations += 1
            if [.open, .create, .replace].contains(operation) { state.counts.opens += 1 }
            if operation == .write { state.counts.writes += 1 }
            return (state.deadly(operation), state.rule)
        }
        // Without the lock: a rule may wait for what others do to the disk.
        return try raise(fault ?? rule(operation, path), operation, path)
    }

    private func raise(_ fault: Fault?, _ operation: Operation, _ path: String) throws(JournalError) -> Fault? {
        if case .error(let errno) = fault { throw JournalError(errno: errno, "\(operation)", path) }
        return fault
    }

    func makeFolder(_ path: String) throws(JournalError) {
        _ = try check(.makeFolder, path)
        try base.makeFolder(path)
    }

    func listFolder(_ path: String) throws(JournalError) -> [FolderEntry] {
        _ = try check(.listFolder, path)
        return try base.listFolder(path)
    }

    func syncFolder(_ path: String) throws(JournalError) {
        _ = try check(.syncFolder, path)
        try base.syncFolder(path)
    }

    func openFile(_ path: String, _ access: FileAccess) throws(JournalError) -> Int32 {
        let operation: Operation =
            switch access {
            case .create: .create
            case .replace: .replace
            case .read, .update, .createOrUpdate: .open
            }
        _ = try check(operation, path)
        return try base.openFile(path, access)
    }

    func closeFile(_ descriptor: Int32) { base.closeFile(descriptor) }

    func fileStatus(at path: String) throws(JournalError) -> FileStatus {
        _ = try check(.status, path)
        return try base.fileStatus(at: path)
    }

    func fileStatus(_ descriptor: Int32) throws(JournalError) -> FileStatus {
        _ = try check(.status)
        return try base.fileStatus(descriptor)
    }

    func readFile(_ descriptor: Int32, at offset: Int, count: Int) throws(JournalError) -> [UInt8] {
        _ = try check(.read)
        let bytes = try base.readFile(descriptor, at: offset, count: count)
        state.withLock { $0.counts.bytesRead += bytes.count }
        return bytes
    }

    func writeFile(_ descriptor: Int32, _ bytes: [UInt8], at offset: Int) throws(JournalError) {
        if case .partialWrite(let count, let errno) = try check(.write) {
            try base.writeFile(descriptor, Array(bytes.prefix(count)), at: offset)
            throw JournalError(errno: errno, "write", "")
        }
        try base.writeFile(descriptor, bytes, at: offset)
    }

    func truncateFile(_ descriptor: Int32, to size: Int) throws(JournalError) {
        _ = try check(.truncate)
        try base.truncateFile(descriptor, to: size)
    }

    func syncFile(_ descriptor: Int32) throws(JournalError) {
        _ = try check(.sync)
        try base.syncFile(descriptor)
    }

    func lockFile(_ descriptor: Int32) throws(JournalError) {
        if case .nothing = try check(.lock) { return }
        try base.lockFile(descriptor)
    }

    func unlockFile(_ descriptor: Int32) { base.unlockFile(descriptor) }

    func moveFile(_ path: String, to newPath: String) throws(JournalError) {
        _ = try check(.move, newPath)
        try base.moveFile(path, to: newPath)
    }

    func linkFile(_ path: String, to newPath: String) throws(JournalError) -> Bool {
        _ = try check(.move, newPath)
        return try base.linkFile(path, to: newPath)
    }

    func removeFile(_ path: String) throws(JournalError) {
        _ = try check(.remove, path)
        try base.removeFile(path)
    }
}
