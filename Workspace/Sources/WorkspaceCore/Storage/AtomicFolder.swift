import Foundation

/// Makes a folder that is either there as a whole or not at all.
package struct AtomicFolder {
    private let target: String

    /// - Throws: `WorkspaceError` when something is there already.
    package init(_ target: String) throws {
        self.target = URL(fileURLWithPath: target).standardizedFileURL.path
        guard FileManager.default.fileExists(atPath: self.target) else { return }
        guard let there = try? FileManager.default.contentsOfDirectory(atPath: self.target), there.isEmpty else {
            throw WorkspaceError(.dataFolder, "\(self.target) is there already, and is not an empty folder")
        }
    }

    /// Fills a folder beside the target, and gives it the name of the target when that succeeded.
    package func make<Result>(_ fill: (String) throws -> Result) throws -> Result {
        let partial = target + ".partial"
        do {
            // Of an earlier try, if there is one; making the folder fails when it stays.
            try? FileManager.default.removeItem(atPath: partial)
            try FileManager.default.createDirectory(
                atPath: partial, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let result = try fill(partial)
            try Self.syncFolders(in: partial)
            if FileManager.default.fileExists(atPath: target) { try FileManager.default.removeItem(atPath: target) }
            try FileManager.default.moveItem(atPath: partial, toPath: target)
            try Self.syncNames(above: target)
            return result
        } catch {
            // The error that is thrown says more than one of the removal.
            try? FileManager.default.removeItem(atPath: partial)
            if error is WorkspaceError { throw error }
            throw WorkspaceError(.dataFolder, "\(target) cannot be made: \(SystemReason.text(error))")
        }
    }

    /// Copies a file, and makes the folder that it is in when that is missing.
    package static func copy(_ source: String, to target: String) throws {
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: target).deletingLastPathComponent().path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let from = try FileHandle(forReadingFrom: URL(fileURLWithPath: source))
        defer { try? from.close() }
        guard FileManager.default.createFile(atPath: target, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        let to = try FileHandle(forWritingTo: URL(fileURLWithPath: target))
        defer { try? to.close() }
        while let part = try from.read(upToCount: 1 << 20), !part.isEmpty { try to.write(contentsOf: part) }
        try to.synchronize()
    }

    /// Brings to the medium what the folders in a folder hold, and the folder itself.
    private static func syncFolders(in folder: String) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
                continue
            }
            try sync(path)
        }
        try sync(folder)
    }

    /// Brings to the medium that a path is there, and each folder above it, as far as this user may read and write.
    package static func syncNames(above path: String) throws {
        var place = URL(fileURLWithPath: path).standardizedFileURL
        while place.path != "/" {
            place = place.deletingLastPathComponent()
            guard access(place.path, R_OK | W_OK) == 0 else { return }
            try sync(place.path)
        }
    }

    /// Brings a folder or a file to the medium.
    package static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
