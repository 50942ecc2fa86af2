/// The file operations of a journal. Tests replace them to make a disk fail.
///
/// Every method may be called on any thread.
package protocol FileSystem: Sendable {
    /// Creates a folder that only this user may enter, and missing folders above it.
    func makeFolder(_ path: String) throws(JournalError)
    /// The entries of a folder, in any order.
    func listFolder(_ path: String) throws(JournalError) -> [FolderEntry]
    /// Syncs the names in a folder to the medium.
    func syncFolder(_ path: String) throws(JournalError)

    /// Opens a file; links are not followed, and programs that the process starts do not inherit it.
    func openFile(_ path: String, _ access: FileAccess) throws(JournalError) -> Int32
    /// Closes a descriptor.
    func closeFile(_ descriptor: Int32)
    /// Size and identity of an open file.
    func fileStatus(_ descriptor: Int32) throws(JournalError) -> FileStatus
    /// Size and identity of the file that has that name now; a link is not followed.
    func fileStatus(at path: String) throws(JournalError) -> FileStatus
    /// Reads up to `count` bytes from that offset; fewer when the file ends before.
    func readFile(_ descriptor: Int32, at offset: Int, count: Int) throws(JournalError) -> [UInt8]
    /// Writes all the bytes at that offset. When it throws, some of them may have been written.
    func writeFile(_ descriptor: Int32, _ bytes: [UInt8], at offset: Int) throws(JournalError)
    /// Cuts a file to that size.
    func truncateFile(_ descriptor: Int32, to size: Int) throws(JournalError)
    /// Syncs a file's bytes to the medium.
    func syncFile(_ descriptor: Int32) throws(JournalError)
    /// Takes the exclusive lock on an open file, or throws `.inUse` at once.
    func lockFile(_ descriptor: Int32) throws(JournalError)
    /// Releases the lock at once, also for copies of the descriptor that a starting child process has for a moment.
    func unlockFile(_ descriptor: Int32)

    /// Renames a file, and replaces a file with the new name.
    func moveFile(_ path: String, to newPath: String) throws(JournalError)
    /// Gives a file a second name; false when a file with that name exists.
    func linkFile(_ path: String, to newPath: String) throws(JournalError) -> Bool
    /// Removes a file.
    func removeFile(_ path: String) throws(JournalError)
}

/// The purpose for which a file is opened. New files are private to this user.
package enum FileAccess: Sendable {
    /// To read it.
    case read
    /// To read and write it.
    case update
    /// To read and write it; it must not exist yet.
    case create
    /// To read and write it; it is created when it is missing.
    case createOrUpdate
    /// To replace its content.
    case replace
}

/// An entry of a folder.
package struct FolderEntry: Sendable {
    /// The name, without the folder.
    package let name: String
    /// The size in bytes; nil for anything that is not a plain file.
    package let size: Int?

    /// An entry of that name and size.
    package init(name: String, size: Int?) {
        self.name = name
        self.size = size
    }
}

/// Facts about an open file.
package struct FileStatus: Sendable {
    /// Bytes in the file.
    package let size: Int
    /// The identity of the file, whatever its names.
    package let identity: FileIdentity

    /// A status with these values.
    package init(size: Int, identity: FileIdentity) {
        self.size = size
        self.identity = identity
    }
}

/// Identifies a file among all files of the machine.
package struct FileIdentity: Sendable, Hashable {
    /// The device that the file is on.
    package let device: UInt64
    /// The number of the file on that device.
    package let number: UInt64

    /// An identity with these values.
    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }
}
