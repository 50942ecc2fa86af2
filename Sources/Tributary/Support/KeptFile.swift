package import Foundation
package import TributaryJournal

/// A small file that is replaced as a whole. Only this user can read it. While the device is locked it can be read,
/// except before the first unlock after a restart.
package struct KeptFile: Sendable {
    /// The guarantee of a replacement when it has returned.
    package enum Sync: Sendable {
        /// The new bytes survive the end of the process; a power cut may bring the old ones back.
        case none
        /// The new bytes survive a power cut, too.
        case synced
    }

    package let path: String
    private let files: any FileSystem
    private let keptFiles: KeptFiles?

    /// - Parameter keptFiles: remembers the bytes, so that the client can write the file again when it is deleted.
    package init(_ url: URL, _ files: any FileSystem, _ keptFiles: KeptFiles? = nil) {
        self.init(url.path, files, keptFiles)
    }

    init(_ path: String, _ files: any FileSystem, _ keptFiles: KeptFiles? = nil) {
        self.path = path
        self.files = files
        self.keptFiles = keptFiles
    }

    /// The bytes of the file, up to that many. Nil only when there is no such file.
    /// - Throws: the system's error, when the file exists or may exist and cannot be read.
    package func read(_ maximumBytes: Int) throws(JournalError) -> [UInt8]? {
        guard let keptFiles else { return try readBytes(maximumBytes) }
        return try keptFiles.reading(path) { () throws(JournalError) in try readBytes(maximumBytes) }
    }

    private func readBytes(_ maximumBytes: Int) throws(JournalError) -> [UInt8]? {
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
    /// left is used again. Makes the folder when it is missing.
    package func replace(with bytes: [UInt8], _ sync: Sync = .none) throws(JournalError) {
        guard let keptFiles else { return try write(bytes, sync) }
        try keptFiles.replacing(path, bytes) { () throws(JournalError) in try write(bytes, sync) }
    }

    private func write(_ bytes: [UInt8], _ sync: Sync) throws(JournalError) {
        let new = path + ".new"
        let descriptor = try openNew(new)
        do {
            defer { files.closeFile(descriptor) }
            try files.writeFile(descriptor, bytes, at: 0)
            if sync == .synced { try files.syncFile(descriptor) }
        }
        try files.moveFile(new, to: path)
        if sync == .synced { try files.syncFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path) }
    }

    private func openNew(_ new: String) throws(JournalError) -> Int32 {
        do throws(JournalError) {
            return try files.openFile(new, .replace)
        } catch let error where error.reason == .missing {
            try files.makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
            return try files.openFile(new, .replace)
        }
    }

    /// Writes bytes again that the file had, when it is missing.
    /// - Returns: whether the file was missing.
    fileprivate func restore(_ bytes: [UInt8]) throws(JournalError) -> Bool {
        if try peek() { return false }
        try write(bytes, .none)
        return true
    }

    /// Deletes the file. Does nothing when there is none.
    package func remove() throws(JournalError) {
        guard let keptFiles else { return try delete() }
        try keptFiles.removing(path) { () throws(JournalError) in try delete() }
    }

    /// Gives the file another name, under which the client does not write it again. A file with that name is replaced.
    package func setAside(to other: String) throws(JournalError) {
        guard let keptFiles else { return try files.moveFile(path, to: other) }
        try keptFiles.removing(path) { () throws(JournalError) in try files.moveFile(path, to: other) }
    }

    private func delete() throws(JournalError) {
        do {
            try files.removeFile(path)
        } catch let error where error.reason == .missing {
            return
        }
    }
}

/// The folder of a client's small files. Only this user can read it.
package struct KeptFolder: Sendable {
    package let url: URL
    private let files: any FileSystem
    private let keptFiles: KeptFiles?

    /// - Parameter keptFiles: remembers the bytes of the files, so that the client can write them again.
    package init(
        _ url: URL, _ files: any FileSystem = PosixFileSystem(), _ keptFiles: KeptFiles? = nil
    ) {
        self.url = url
        self.files = files
        self.keptFiles = keptFiles
    }

    /// The file of that name.
    package func file(_ name: String) -> KeptFile { KeptFile(url.appendingPathComponent(name), files, keptFiles) }

    /// Makes the folder again when it was deleted.
    package func make() throws(JournalError) { try files.makeFolder(url.path) }
}

/// The bytes that the small files of a client had last. When the files are deleted while the client runs, the client
/// writes them again.
package final class KeptFiles: Sendable {
    /// Larger files are not remembered. A server or the app has their content.
    private static let largest = 256 << 10

    /// Held while a small file is read, replaced, deleted or written again. Otherwise a file that is deleted meanwhile
    /// could come back.
    private let contents = LockBox<[String: [UInt8]]>([:])

    fileprivate func reading(
        _ path: String, _ read: () throws(JournalError) -> [UInt8]?
    ) throws(JournalError) -> [UInt8]? {
        try holding { contents throws(JournalError) in
            let bytes = try read()
            if let bytes { Self.remember(bytes, path, &contents) }
            return bytes
        }
    }

    fileprivate func replacing(
        _ path: String, _ bytes: [UInt8], _ write: () throws(JournalError) -> Void
    ) throws(JournalError) {
        try holding { contents throws(JournalError) in
            Self.remember(bytes, path, &contents)
            try write()
        }
    }

    fileprivate func removing(_ path: String, _ delete: () throws(JournalError) -> Void) throws(JournalError) {
        try holding { contents throws(JournalError) in
            contents[path] = nil
            try delete()
        }
    }

    private func holding<Value>(
        _ body: (inout [String: [UInt8]]) throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        let result = contents.withLock { contents -> Result<Value, JournalError> in
            do throws(JournalError) {
                return .success(try body(&contents))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func remember(_ bytes: [UInt8], _ path: String, _ contents: inout [String: [UInt8]]) {
        contents[path] = bytes.count <= largest ? bytes : nil
    }

    /// Writes deleted files again. The next call tries a file again that the disk refused.
    /// - Returns: the names of these files.
    func restore(_ files: any FileSystem) -> [String] {
        contents.withLock { contents in
            contents.compactMap { path, bytes in
                let isRestored = (try? KeptFile(path, files).restore(bytes)) ?? false
                return isRestored ? URL(fileURLWithPath: path).lastPathComponent : nil
            }.inOrder()
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
