/// Takes a folder by a lease. A lock is not possible, because the system ends a process that is suspended with one.
///
/// The lock file says until when the lease holds. A process that takes a folder renames a file of its own to the lock
/// file's name, in steps that only one process can win. So the former owner notices before its next write that it has
/// lost the folder.
struct FolderLease {
    let folder: String
    let terms: JournalOptions.Lease
    let files: any FileSystem

    private var path: String { folder + "/" + FileName.lock }

    /// - Parameter isHeld: whether a journal of this process has the folder of that lock file.
    /// - Throws: `.inUse` when another owner has it.
    func take(at now: Int64, isHeld: (FileIdentity) -> Bool) throws(JournalError) -> OpenFile {
        let own = path + "-" + String(UInt64.random(in: .min ... .max), radix: 16)
        let file = try OpenFile(own, .create, in: files)
        defer { try? files.removeFile(own) }
        try file.write(LeaseTerm(renewed: now, owner: terms.owner).encoded, at: 0)
        try moveAway(to: own + "-old", at: now, isHeld: isHeld)
        guard try files.linkFile(own, to: path) else { throw Self.inUse }
        return file
    }

    /// Renames a lock file after the end of its lease, so that its name is free.
    private func moveAway(to old: String, at now: Int64, isHeld: (FileIdentity) -> Bool) throws(JournalError) {
        guard let identity = try finished(at: now, isHeld: isHeld) else { return }
        do {
            try files.moveFile(path, to: old)
        } catch let error where error.reason == .missing {
            throw Self.inUse
        }
        defer { try? files.removeFile(old) }
        // Another process was faster, and this is the new owner's file.
        guard try files.fileStatus(at: old).identity == identity else {
            _ = try files.linkFile(old, to: path)
            throw Self.inUse
        }
    }

    /// The existing lock file with a lease that is over; nil when there is none.
    private func finished(
        at now: Int64, isHeld: (FileIdentity) -> Bool
    ) throws(JournalError) -> FileIdentity? {
        let file: OpenFile
        do {
            file = try OpenFile(path, .read, in: files)
        } catch let error where error.reason == .missing {
            return nil
        }
        let identity = try file.status().identity
        let term = LeaseTerm(try file.read(at: 0, count: LeaseTerm.size + 1))
        guard !isHeld(identity), !term.isLive(at: now, for: terms) else { throw Self.inUse }
        return identity
    }

    private static let inUse = JournalError(.inUse, "another client has the folder")
}
