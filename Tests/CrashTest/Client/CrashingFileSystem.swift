import Foundation
import Tributary
import TributaryJournal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The machine's files, with a full disk at times, and with the end of the process at the planned operation.
///
/// Operations are told apart by the names of files: `<queue>/inbox/…` and `<queue>/outbox/…`.
final class CrashingFileSystem: FileSystem {
    private struct State {
        var paths: [Int32: String] = [:]
        /// Operations so far that need room on the disk.
        var operations = 0
        var vanished = 0
    }

    private let base = PosixFileSystem()
    private let state = LockBox(State())
    private let plan: LifePlan
    private let killer: Killer
    private let refusals: Refusals
    private let ledger: Ledger

    init(_ plan: LifePlan, killer: Killer, refusals: Refusals, ledger: Ledger) {
        self.plan = plan
        self.killer = killer
        self.refusals = refusals
        self.ledger = ledger
    }

    // MARK: What changes the disk

    func openFile(_ path: String, _ access: FileAccess) throws(JournalError) -> Int32 {
        let file = StoredFile(path)
        var step: Step?
        switch access {
        case .create: step = file.spareMade
        case .read, .createOrUpdate: step = .folderOpened
        case .update, .replace: break
        }
        killer.reached(step, .before)
        let descriptor: Int32
        do {
            if access == .create || access == .replace { try checkRoom() }
            descriptor = try base.openFile(path, access)
        } catch {
            // A segment that cannot be begun is a record that is not stored.
            if access == .create, file.log == .inbox { refusals.add() }
            throw error
        }
        state.withLock { $0.paths[descriptor] = path }
        killer.reached(step, .after)
        return descriptor
    }

    func writeFile(_ descriptor: Int32, _ bytes: [UInt8], at offset: Int) throws(JournalError) {
        let file = StoredFile(state.withLock { $0.paths[descriptor] } ?? "")
        let step = file.written(at: offset)
        killer.reached(step, .before)
        if killer.isDue(step, .halfway) {
            try base.writeFile(descriptor, Array(bytes.prefix(bytes.count / 2)), at: offset)
            killer.die()
        }
        do {
            try checkRoom()
            if !vanishes(file) { try base.writeFile(descriptor, bytes, at: offset) }
        } catch {
            if file.isInboxSegment { refusals.add() }
            throw error
        }
        if file.isInboxSegment { tellStored(bytes) }
        killer.reached(step, .after)
    }

    func moveFile(_ path: String, to newPath: String) throws(JournalError) {
        let file = StoredFile(newPath)
        killer.reached(file.named, .before)
        do {
            try base.moveFile(path, to: newPath)
        } catch {
            if file.isInboxSegment { refusals.add() }
            throw error
        }
        state.withLock { state in
            for (descriptor, known) in state.paths where known == path { state.paths[descriptor] = newPath }
        }
        killer.reached(file.named, .after)
    }

    func linkFile(_ path: String, to newPath: String) throws(JournalError) -> Bool {
        try base.linkFile(path, to: newPath)
    }

    func removeFile(_ path: String) throws(JournalError) {
        let step = StoredFile(path).deleted
        killer.reached(step, .before)
        try base.removeFile(path)
        killer.reached(step, .after)
    }

    /// While the disk is full there is room for nothing; what is there can be renamed and deleted.
    private func checkRoom() throws(JournalError) {
        guard let fullDisk = plan.fullDisk else { return }
        let number = state.withLock { state in
            state.operations += 1
            return state.operations
        }
        if fullDisk.contains(number) { throw JournalError(errno: ENOSPC, "write to a full disk", "") }
    }

    /// Reports each event whose record is now in the inbox's file.
    private func tellStored(_ bytes: [UInt8]) {
        for key in EventText.keys(in: bytes) { ledger.append(.stored(key: key)) }
    }

    /// Only for the harness to see that it would notice.
    private func vanishes(_ file: StoredFile) -> Bool {
        // The outbox is written to far less often than the inbox: many events share a write.
        let everySo: Int
        switch plan.sabotage {
        case .inboxWritesVanish where file.isInboxSegment: everySo = 10
        case .outboxWritesVanish where file.isSegment && file.log == .outbox: everySo = 3
        default: return false
        }
        return state.withLock { state in
            state.vanished += 1
            return state.vanished % everySo == everySo - 1
        }
    }

    // MARK: The rest

    func makeFolder(_ path: String) throws(JournalError) { try base.makeFolder(path) }
    func listFolder(_ path: String) throws(JournalError) -> [FolderEntry] { try base.listFolder(path) }
    func syncFolder(_ path: String) throws(JournalError) { try base.syncFolder(path) }
    func syncFile(_ descriptor: Int32) throws(JournalError) { try base.syncFile(descriptor) }
    func fileStatus(_ descriptor: Int32) throws(JournalError) -> FileStatus { try base.fileStatus(descriptor) }
    func fileStatus(at path: String) throws(JournalError) -> FileStatus { try base.fileStatus(at: path) }
    func lockFile(_ descriptor: Int32) throws(JournalError) { try base.lockFile(descriptor) }
    func unlockFile(_ descriptor: Int32) { base.unlockFile(descriptor) }

    func readFile(_ descriptor: Int32, at offset: Int, count: Int) throws(JournalError) -> [UInt8] {
        try base.readFile(descriptor, at: offset, count: count)
    }

    func truncateFile(_ descriptor: Int32, to size: Int) throws(JournalError) {
        try base.truncateFile(descriptor, to: size)
    }

    func closeFile(_ descriptor: Int32) {
        state.withLock { _ = $0.paths.removeValue(forKey: descriptor) }
        base.closeFile(descriptor)
    }
}
