/// Takes a folder for a while: without a lock, which the system does not let a suspended process have.
///
/// The lock file says until when. Whoever takes a folder gives that file's name to a file of their own, in steps of which
/// each has one winner; so the process that had the folder sees, before it writes again, that it has it no more.
struct FolderLease {
    let folder: String
    let terms: JournalOptions.Lease
    let files: any FileSystem

    private var path: String { folder + "/" + FileName.lock }

    /// - Parameter isHeld: whether a journal of this process has the folder whose lock file that is.
    /// - Throws: `.inUse` when somebody has it.
    func take(at now: Int64, isHeld: (FileIdentity) -> Bool) throws(JournalError) -> OpenFile {
        let own = path + "-" + String(UInt64.random(in: .min ... .max), radix: 16)
        let file = try OpenFile(own, .create, in: files)
        defer { try? files.removeFile(own) }
        try file.write(LeaseTerm(renewed: now, owner: terms.owner).encoded, at: 0)
        try moveAway(to: own + "-old", at: now, isHeld: isHeld)
        guard try files.linkFile(own, to: path) else { throw Self.inUse }
        return file
    }

    /// Takes the name from a lock file whose time is over.
    private func moveAway(to old: String, at now: Int64, isHeld: (FileIdentity) -> Bool) throws(JournalError) {
        guard let identity = try finished(at: now, isHeld: isHeld) else { return }
        do {
            try files.moveFile(path, to: old)
        } catch let error where error.reason == .missing {
            throw Self.inUse
        }
        defer { try? files.removeFile(old) }
        // Somebody else was quicker, and this is the file of the new owner.
        guard try files.fileStatus(at: old).identity == identity else {
            _ = try files.linkFile(old, to: path)
            throw Self.inUse
        }
    }

    /// The lock file that is there, whose time is over; nil when there is none.
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
