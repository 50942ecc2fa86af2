import Foundation

/// The folder of a workspace, held by one process at a time.
///
/// The kernel holds the lock, so it ends with the process in any case.
final class DataFolder: Sendable {
    let path: String
    private let lock: Int32

    var databasePath: String { path + "/workspace.sqlite" }
    var journalPath: String { path + "/journal" }
    var daysPath: String { path + "/days" }
    var messagesPath: String { path + "/messages" }
    var unreadablePath: String { path + "/unreadable" }

    /// Makes the folder when it is missing and locks it.
    init(path: String) throws(WorkspaceError) {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw WorkspaceError(.dataFolder, "the data folder \(path) cannot be made: \(Self.reason(error))")
        }
        self.path = path
        self.lock = try Self.lock(path)
        do {
            try FolderMaking.syncNames(above: path)
        } catch {
            throw WorkspaceError(.dataFolder, "the data folder \(path) cannot be kept: \(Self.reason(error))")
        }
    }

    /// Stores bytes that cannot be processed in `unreadable`, for a person to look at.
    func setAside(_ bytes: [UInt8], as name: String) throws {
        try makeFolder(unreadablePath)
        try Data(bytes).write(to: URL(fileURLWithPath: unreadablePath + "/" + name), options: .atomic)
        // The origin of the bytes is deleted after this.
        try FolderMaking.sync(unreadablePath)
    }

    /// Moves the files of a database to `unreadable`; returns the name of the first.
    func setAside(_ paths: [String]) throws -> String {
        try makeFolder(unreadablePath)
        let names = paths.map { URL(fileURLWithPath: $0).lastPathComponent }
        var number = 1
        func target(_ name: String) -> String {
            unreadablePath + "/" + (number == 1 ? name : "\(number)-\(name)")
        }
        while names.contains(where: { FileManager.default.fileExists(atPath: target($0)) }) { number += 1 }
        for (path, name) in zip(paths, names) where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.moveItem(atPath: path, toPath: target(name))
        }
        // New files get these names, and the old files must not be found there.
        try FolderMaking.sync(unreadablePath)
        for folder in Set(paths.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }) {
            try FolderMaking.sync(folder)
        }
        return "unreadable/" + URL(fileURLWithPath: target(names.first ?? "")).lastPathComponent
    }

    /// The names of the files in `unreadable`.
    func unreadableFiles() throws -> [String] {
        guard FileManager.default.fileExists(atPath: unreadablePath) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: unreadablePath).sorted()
    }

    /// Makes a folder that only the owner may look into, when it is missing.
    func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // When the name of a folder is lost in a power cut, everything in it is lost.
        try FolderMaking.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    deinit { close(lock) }

    /// Releases the folder for other processes, also while this object lives.
    func release() { flock(lock, LOCK_UN) }

    private static func lock(_ path: String) throws(WorkspaceError) -> Int32 {
        let descriptor = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw WorkspaceError(.dataFolder, "the data folder \(path) cannot be written: \(systemReason(errno))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            if code == EWOULDBLOCK {
                throw WorkspaceError(.dataFolderInUse, "another workspace has the data folder \(path) open")
            }
            throw WorkspaceError(.dataFolder, "the data folder \(path) cannot be locked: \(systemReason(code))")
        }
        return descriptor
    }

    private static func systemReason(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// Foundation wraps the system's reason in words about its own domains.
    private static func reason(_ error: any Error) -> String {
        let error = error as NSError
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        guard underlying.domain == NSPOSIXErrorDomain else { return SystemReason.text(error) }
        return systemReason(Int32(underlying.code))
    }
}
