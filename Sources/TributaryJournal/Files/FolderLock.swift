/// The right to use a folder, from its creation to `release` or its end.
///
/// Between processes it is a lock with `flock`, which ends with the process, or a lease, which has to be renewed.
/// Inside a process it is an entry in a table, because an inherited or duplicated lock counts as the same one.
final class FolderLock: Sendable {
    private static let held = Locked<Set<FileIdentity>>([])

    let identity: FileIdentity
    private let file: Locked<OpenFile?>
    private let lease: JournalOptions.Lease?
    /// When the lease was last renewed, in milliseconds since 1970.
    private let renewed: Locked<Int64>

    init(_ folder: String, _ options: JournalOptions, in files: any FileSystem) throws(JournalError) {
        let now = options.now()
        let file: OpenFile
        switch options.ownership {
        case .exclusive:
            lease = nil
            file = try OpenFile(folder + "/" + FileName.lock, .createOrUpdate, in: files)
        case .lease(let terms):
            lease = terms
            file = try FolderLease(folder: folder, terms: terms, files: files).take(at: now) { identity in
                Self.held.withLock { $0.contains(identity) }
            }
        }
        let identity = try file.status().identity
        guard Self.held.withLock({ $0.insert(identity).inserted }) else {
            throw JournalError(.inUse, "another journal of this process has the folder")
        }
        do {
            if lease == nil { try file.lock() }
        } catch {
            Self.held.withLock { _ = $0.remove(identity) }
            throw error
        }
        self.identity = identity
        self.file = Locked(file)
        renewed = Locked(now)
    }

    deinit { release() }

    /// Whether so much time has passed that another process may take the folder soon, or has taken it.
    func mustBeRenewed(at now: () -> Int64) -> Bool {
        guard let lease else { return false }
        return LeaseTerm.isOver(lease.milliseconds / 3, since: renewed.withLock { $0 }, at: now())
    }

    /// Renews the lease when it is due. Call it after checking that the file is still there.
    func renew(at now: () -> Int64) throws(JournalError) {
        guard let lease, mustBeRenewed(at: now) else { return }
        let moment = now()
        let file = file.withLock { $0 }
        try file?.write(LeaseTerm(renewed: moment, owner: lease.owner).encoded, at: 0)
        renewed.withLock { $0 = moment }
    }

    /// Releases the folder; a second call does nothing.
    func release() {
        let held = file.withLock { file in
            defer { file = nil }
            return file
        }
        guard let held else { return }
        // The lock is released first: an opener that the table lets through must not meet this lock. The file is closed
        // last: when it was deleted meanwhile, the system gives its number to the next new file, which may be another
        // folder's lock.
        if lease == nil {
            held.unlock()
        } else {
            // If the disk refuses the write, the lease ends by itself.
            try? held.write(LeaseTerm.over.encoded, at: 0)
        }
        withExtendedLifetime(held) { Self.held.withLock { _ = $0.remove(identity) } }
    }
}
