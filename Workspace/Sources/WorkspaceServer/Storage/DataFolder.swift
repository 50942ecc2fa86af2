import Foundation

/// The folder of a workspace, held by one process at a time.
///
/// The lock is the kernel's, so it goes with the process however that ends.
final class DataFolder: Sendable {
    let path: String
    private let lock: Int32

    var databasePath: String { path + "/workspace.sqlite" }
    var journalPath: String { path + "/journal" }

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
    }

    /// Keeps bytes that cannot be dealt with, for a person to look at.
    func setAside(_ bytes: [UInt8], as name: String) throws {
        let folder = URL(fileURLWithPath: path).appendingPathComponent("unreadable")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(bytes).write(to: folder.appendingPathComponent(name), options: .atomic)
    }

    deinit { close(lock) }

    /// Lets another process have the folder, also while this object lives.
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
        guard underlying.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return systemReason(Int32(underlying.code))
    }
}
