import Foundation
import TestSupport
import Testing
import TributaryJournal

@testable import Tributary

@Suite("A process that is killed while its disk is full")
struct FullDiskTests {
    /// The machine's files; while the disk is full, no record finds room, and what is there can be written over.
    private final class FullDisk: FileSystem {
        private let base = PosixFileSystem()
        private let isFull = LockBox(false)

        func fill() { isFull.withLock { $0 = true } }

        private func checkRoom() throws(JournalError) {
            if isFull.withLock({ $0 }) { throw JournalError(errno: 28, "write to a full disk", "") }
        }

        func openFile(_ path: String, _ access: FileAccess) throws(JournalError) -> Int32 {
            if access == .create || access == .replace { try checkRoom() }
            return try base.openFile(path, access)
        }

        func writeFile(_ descriptor: Int32, _ bytes: [UInt8], at offset: Int) throws(JournalError) {
            // The bytes of a mark begin with its magic word.
            if !bytes.starts(with: Array("TJRNMARK".utf8)) { try checkRoom() }
            try base.writeFile(descriptor, bytes, at: offset)
        }

        func makeFolder(_ path: String) throws(JournalError) { try base.makeFolder(path) }
        func listFolder(_ path: String) throws(JournalError) -> [FolderEntry] { try base.listFolder(path) }
        func syncFolder(_ path: String) throws(JournalError) { try base.syncFolder(path) }
        func syncFile(_ descriptor: Int32) throws(JournalError) { try base.syncFile(descriptor) }
        func closeFile(_ descriptor: Int32) { base.closeFile(descriptor) }
        func fileStatus(_ descriptor: Int32) throws(JournalError) -> FileStatus { try base.fileStatus(descriptor) }
        func fileStatus(at path: String) throws(JournalError) -> FileStatus { try base.fileStatus(at: path) }
        func lockFile(_ descriptor: Int32) throws(JournalError) { try base.lockFile(descriptor) }
        func unlockFile(_ descriptor: Int32) { base.unlockFile(descriptor) }
        func removeFile(_ path: String) throws(JournalError) { try base.removeFile(path) }

        func linkFile(_ path: String, to newPath: String) throws(JournalError) -> Bool {
            try checkRoom()
            return try base.linkFile(path, to: newPath)
        }

        func readFile(_ descriptor: Int32, at offset: Int, count: Int) throws(JournalError) -> [UInt8] {
            try base.readFile(descriptor, at: offset, count: count)
        }

        func truncateFile(_ descriptor: Int32, to size: Int) throws(JournalError) {
            try base.truncateFile(descriptor, to: size)
        }

        func moveFile(_ path: String, to newPath: String) throws(JournalError) {
            try base.moveFile(path, to: newPath)
        }
    }

    @Test("Events on a full disk stay there until they are sent")
    func stored() async throws {
        let folder = try TemporaryFolder()
        let disk = FullDisk()
        let first = Client(folder: folder.url) { $0.files(disk) }
        first.server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        for number in 1...10 { first.analytics.track(name: "E\(number)") }
        disk.fill()
        first.analytics.track(name: "in memory only")
        #expect(!first.analytics.storageState.survivesProcess)
        await first.processed()
        let left = try folder.copy()
        // The time when the first client's pauses are over.
        let time = ManualTime()
        time.advance(by: 3600)
        let second = Client(time: time, folder: left.url)
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == (1...10).map { "E\($0)" })
        await second.ended()
        await first.ended()
    }
}
