package import Foundation
package import TributaryJournal

/// A small file that is replaced as a whole. Only this user can read it. While the device is locked it can be read,
/// except before the first unlock after a restart.
package struct KeptFile: Sendable {
    /// What a replacement guarantees when it has returned.
    package enum Sync: Sendable {
        /// The new bytes survive the end of the process; a power cut may bring the old ones back.
        case none
        /// The new bytes survive a power cut, too.
        case synced
    }

    package let path: String
    private let files: any FileSystem

    package init(_ url: URL, _ files: any FileSystem) { self.init(url.path, files) }

    init(_ path: String, _ files: any FileSystem) {
        self.path = path
        self.files = files
    }

    /// The bytes of the file, up to that many. Nil only when there is no such file.
    /// - Throws: the system's error, when the file exists or may exist and cannot be read.
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

    /// Whether the file exists.
    /// - Throws: the system's error, when that is unknown or the file cannot be read.
    func peek() throws(JournalError) -> Bool {
        do {
            files.closeFile(try files.openFile(path, .read))
            return true
        } catch let error where error.reason == .missing {
            return false
        }
    }

    func read() throws(JournalError) -> [UInt8]? { try read(Limits.keptFileBytes) }

    /// Writes another file first and renames it. That file always has the same name, so a file that a killed process
    /// left is used again.
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

    /// Deletes the file. Does nothing when there is none.
    package func remove() throws(JournalError) {
        do {
            try files.removeFile(path)
        } catch let error where error.reason == .missing {
            return
        }
    }
}

extension Data.WritingOptions {
    /// The same protection for files that Foundation writes.
    package static var kept: Data.WritingOptions {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
        .atomic
        #endif
    }
}
