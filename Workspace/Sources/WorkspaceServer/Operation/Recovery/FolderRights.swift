import Foundation
import WorkspaceCore

/// The owners and modes of a folder's files, so that a repair by another user does not change them.
struct FolderRights {
    private struct Rights: Equatable {
        let owner: uid_t
        let group: gid_t
        let mode: mode_t

        init?(_ path: String) {
            // Nil when the file is gone.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let owner = attributes[.ownerAccountID] as? NSNumber,
                let group = attributes[.groupOwnerAccountID] as? NSNumber,
                let mode = attributes[.posixPermissions] as? NSNumber
            else { return nil }
            (self.owner, self.group, self.mode) = (owner.uint32Value, group.uint32Value, mode_t(truncating: mode))
        }
    }

    private let path: String
    private let rights: [String: Rights]

    init(of path: String) {
        self.path = path
        let paths = Self.paths(in: path) ?? [path]
        rights = Dictionary(paths.map { ($0, Rights($0)) }, uniquingKeysWith: { first, _ in first })
            .compactMapValues { $0 }
    }

    /// The owner of the folder, when it is not the user of this process.
    var otherOwner: String? {
        guard let owner = rights[path]?.owner, owner != geteuid() else { return nil }
        return getpwuid(owner).map { String(cString: $0.pointee.pw_name) } ?? "user \(owner)"
    }

    /// New files get the owner of the folder and are readable for that user only. A file that replaced another gets the
    /// mode of the old one.
    /// - Returns: the first file that could not get its rights.
    func restore() -> String? {
        guard let folder = rights[path], let paths = Self.paths(in: path) else { return path }
        var failed: String?
        for file in paths {
            guard let now = Rights(file) else { continue }
            let before = rights[file]
            let (owner, group) = (before?.owner ?? folder.owner, before?.group ?? folder.group)
            var isDone = true
            if now.owner != owner || now.group != group { isDone = lchown(file, owner, group) == 0 }
            // The mode of the folder itself may have been repaired, so it is not changed.
            if let before, file != path, now.mode != before.mode { isDone = chmod(file, before.mode) == 0 && isDone }
            if before == nil, now.mode & 0o077 != 0 { isDone = chmod(file, now.mode & 0o700) == 0 && isDone }
            if !isDone, failed == nil { failed = file }
        }
        return failed
    }

    /// The folder and everything in it; nil when it cannot be listed.
    private static func paths(in path: String) -> [String]? {
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: path) else { return nil }
        return [path] + names.map { path + "/" + $0 }
    }
}
