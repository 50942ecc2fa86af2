/// The right to use a folder, held from its making to `release` or its end.
///
/// Among processes `flock` keeps others out, unless told otherwise; the lock goes when the process dies. Inside a process a table does,
/// because a lock that is inherited or duplicated counts as the same one.
final class FolderLock: Sendable {
    private static let held = Locked<Set<FileIdentity>>([])

    let identity: FileIdentity
    private let file: Locked<OpenFile?>

    init(
        _ folder: String, _ ownership: JournalOptions.Ownership, in files: any FileSystem
    ) throws(JournalError) {
        let file = try OpenFile(folder + "/" + FileName.lock, .createOrUpdate, in: files)
        let identity = try file.status().identity
        guard Self.held.withLock({ $0.insert(identity).inserted }) else {
            throw JournalError(.inUse, "another journal of this process has the folder")
        }
        do {
            if ownership == .exclusive { try file.lock() }
        } catch {
            Self.held.withLock { _ = $0.remove(identity) }
            throw error
        }
        self.identity = identity
        self.file = Locked(file)
    }

    deinit { release() }

    /// Gives the folder back; doing it again does nothing.
    func release() {
        let held = file.withLock { file in
            defer { file = nil }
            return file
        }
        guard let held else { return }
        // Unlocked first: an opener that the table lets through must not meet our own lock. Closed last: when the file
        // was deleted meanwhile, the system gives its number to the next new file, which may be another folder's lock.
        held.unlock()
        withExtendedLifetime(held) { Self.held.withLock { _ = $0.remove(identity) } }
    }
}
