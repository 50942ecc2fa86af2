import Foundation

extension DataFolder {
    /// Keeps everybody but the owner from reading: destinations' secrets stand in the database.
    ///
    /// Files are made so for a folder that is there already, too. Its own mode is changed when it is a data folder or
    /// empty: another one may serve others as well, and there the files alone are protected. What belongs to somebody else
    /// stays as it is.
    func protect() throws(WorkspaceError) {
        let files = FileManager.default
        let isData = files.fileExists(atPath: databasePath)
        // A folder that cannot be listed cannot be used either; opening it says so.
        let names = (try? files.contentsOfDirectory(atPath: path)) ?? []
        if isData || names.allSatisfy({ $0 == "lock" }) { try Self.restrict(path) }
        guard isData else { return }
        for name in names where name.hasPrefix("workspace.sqlite") { try Self.restrict(path + "/" + name) }
        for folder in [journalPath, daysPath] {
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
