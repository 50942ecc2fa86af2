import Foundation

/// The folder of a workspace, held by one process at a time.
///
/// The kernel holds the lock, so it ends with the process in any case.
package final class DataFolder: Sendable {
    package let path: String
    private let lock: Int32

    package var databasePath: String { path + "/workspace.sqlite" }
    package var journalPath: String { path + "/journal" }
    var daysPath: String { path + "/days" }
    package var messagesPath: String { path + "/messages" }
    package var unreadablePath: String { path + "/unreadable" }

    /// Makes the folder when it is missing and locks it.
    package init(path: String) throws(WorkspaceError) {
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
            try AtomicFolder.syncNames(above: path)
        } catch {
            throw WorkspaceError(.dataFolder, "the data folder \(path) cannot be kept: \(Self.reason(error))")
        }
    }

    /// Stores bytes that cannot be processed in `unreadable`, for a person to look at.
    package func setAside(_ bytes: [UInt8], as name: String) throws {
        try makeFolder(unreadablePath)
        try Data(bytes).write(to: URL(fileURLWithPath: unreadablePath + "/" + name), options: .atomic)
        // The origin of the bytes is deleted after this.
        try AtomicFolder.sync(unreadablePath)
    }

    /// Moves the files of a database to `unreadable`; returns the name of the first.
    package func setAside(_ paths: [String]) throws -> String {
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
        try AtomicFolder.sync(unreadablePath)
        for folder in Set(paths.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }) {
            try AtomicFolder.sync(folder)
        }
        return "unreadable/" + URL(fileURLWithPath: target(names.first ?? "")).lastPathComponent
    }

    /// The names of the files in `unreadable`.
    package func unreadableFiles() throws -> [String] {
        guard FileManager.default.fileExists(atPath: unreadablePath) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: unreadablePath).sorted()
    }

    /// Makes a folder that only the owner may look into, when it is missing.
    func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // When the name of a folder is lost in a power cut, everything in it is lost.
        try AtomicFolder.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    deinit {
        // A process that starts meanwhile has the descriptor, too, until it runs its program. Closing would not unlock then.
        release()
        close(lock)
    }

    /// Releases the folder for other processes, also while this object lives.
    package func release() { flock(lock, LOCK_UN) }

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

extension DataFolder {
    /// The database of a day.
    package func path(of day: Day) -> String { "\(daysPath)/\(day).sqlite" }

    /// The database of a day, and the files beside it while it is open or after a crash.
    package func paths(of day: Day) -> [String] { Self.paths(ofDatabase: path(of: day)) }

    /// The days that have a file, oldest first.
    package func dayFiles() throws -> [Day] { try Self.dayFiles(in: daysPath) }

    package static func paths(ofDatabase path: String) -> [String] { [path, path + "-shm", path + "-wal"] }

    package static func dayFiles(in folder: String) throws -> [Day] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return days(of: try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    /// The days of files.
    package static func days(of names: [String]) -> [Day] {
        names.compactMap { $0.hasSuffix(".sqlite") ? Day($0.dropLast(".sqlite".count)) : nil }.sorted()
    }
}

extension DataFolder {
    /// Makes the folder readable for its owner only: the database contains secrets of destinations.
    ///
    /// The files of an existing folder get this mode too. The mode of the folder itself is changed when it is a data
    /// folder or empty; any other folder may serve other purposes, so there only the files are protected. Files of
    /// another user stay as they are.
    package func protect() throws(WorkspaceError) {
        let files = FileManager.default
        let isData = files.fileExists(atPath: databasePath)
        // A folder that cannot be listed cannot be used; opening it reports that.
        let names = (try? files.contentsOfDirectory(atPath: path)) ?? []
        if isData || names.allSatisfy({ $0 == "lock" }) { try Self.restrict(path) }
        guard isData else { return }
        for name in names where name.hasPrefix("workspace.sqlite") { try Self.restrict(path + "/" + name) }
        for folder in [journalPath, daysPath, messagesPath] {
            // It may not be there yet.
            guard let names = try? files.contentsOfDirectory(atPath: folder) else { continue }
            try Self.restrict(folder)
            for name in names { try Self.restrict(folder + "/" + name) }
        }
    }

    private static func restrict(_ path: String) throws(WorkspaceError) {
        // A file may have gone meanwhile; of a link these are the attributes of its own.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let type = attributes[.type] as? FileAttributeType, type != .typeSymbolicLink,
            let old = (attributes[.posixPermissions] as? NSNumber)?.intValue, old & 0o077 != 0,
            (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid()
        else { return }
        let mode: mode_t = type == .typeDirectory ? 0o700 : 0o600
        guard chmod(path, mode) == 0 else {
            throw WorkspaceError(
                .dataFolder, "others can read \(path), and that cannot be changed: \(String(cString: strerror(errno)))")
        }
    }
}
