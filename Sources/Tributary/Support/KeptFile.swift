package import Foundation
package import TributaryJournal

/// A small file that is replaced as a whole, that only this user can read, and that can be read while the device is locked,
/// once it was unlocked after its start.
package struct KeptFile: Sendable {
    /// What holds when a replacement has returned.
    package enum Sync: Sendable {
        /// The new bytes survive the end of the process; a power cut may bring the old ones back.
        case none
        /// The new bytes survive a power cut too.
        case synced
    }

    package let path: String
    private let files: any FileSystem

    package init(_ url: URL, _ files: any FileSystem) { self.init(url.path, files) }

    init(_ path: String, _ files: any FileSystem) {
        self.path = path
        self.files = files
    }

    /// The file's bytes, up to that many; nil when there is no such file, and only then.
    /// - Throws: what the disk says of a file that is there, or may be.
    package func read(_ maximumBytes: Int) throws(JournalError) -> [UInt8]? {
        do throws(JournalError) {
            let descriptor = try files.openFile(path, .read)
            defer { files.closeFile(descriptor) }
            let size = try files.fileStatus(descriptor).size
            guard size <= maximumBytes else { throw JournalError(.tooLarge, "read a file of \(size) bytes") }
            return try files.readFile(descriptor, at: 0, count: size)
        } catch let error where error.reason == .missing {
            return nil
        }
    }

    /// Whether there is such a file.
    /// - Throws: what the disk says when that cannot be told, or the file cannot be read.
    func peek() throws(JournalError) -> Bool {
        do {
            files.closeFile(try files.openFile(path, .read))
            return true
        } catch let error where error.reason == .missing {
            return false
        }
    }

    func read() throws(JournalError) -> [UInt8]? { try read(Limits.keptFileBytes) }

    /// Under another name first, always the same one: what a killed process leaves behind is used again.
    package func replace(with bytes: [UInt8], _ sync: Sync = .none) throws(JournalError) {
        let new = path + ".new"
        let descriptor = try files.openFile(new, .replace)
        do {
            defer { files.closeFile(descriptor) }
            try files.writeFile(descriptor, bytes, at: 0)
            if sync == .synced { try files.syncFile(descriptor) }
        }
        try files.moveFile(new, to: path)
        if sync == .synced { try files.syncFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path) }
    }

    /// Deletes the file; nothing happens when there is none.
    package func remove() throws(JournalError) {
        do {
            try files.removeFile(path)
        } catch let error where error.reason == .missing {
            return
        }
    }
}

extension Data.WritingOptions {
    /// The same for files that Foundation writes.
    package static var kept: Data.WritingOptions {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
        .atomic
        #endif
    }
}
