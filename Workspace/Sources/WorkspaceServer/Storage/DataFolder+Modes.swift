import Foundation

extension DataFolder {
    /// Makes the folder readable for its owner only: the database contains secrets of destinations.
    ///
    /// The files of an existing folder get this mode too. The mode of the folder itself is changed when it is a data
    /// folder or empty; any other folder may serve other purposes, so there only the files are protected. Files of
    /// another user stay as they are.
    func protect() throws(WorkspaceError) {
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
