extension Journal {
    /// Checks that the files that are being written to are still in the folder.
    ///
    /// Writing to a deleted file succeeds, and the record is lost with the file. So the owner should call this
    /// regularly, for instance once for every batch. It makes a few system calls.
    /// - Throws: `.detached` when the folder or its files were deleted or replaced: close the journal then, and open it
    ///   again. `.closed`, or the system's error, which says nothing about the files.
    public func verify() throws(JournalError) {
        let (lock, active, name) = try state.withLock { state throws(JournalError) in
            try state.checkOpen()
            return (state.folderLock, state.activeFile, state.segments.last?.name)
        }
        try verifyFolder(lock)
        guard let active, let name else { return }
        do {
            try verify(active.status().identity, name)
        } catch let error where error.reason == .detached {
            // The file may have been removed properly meanwhile.
            guard state.withLock({ $0.activeFile === active }) else { return }
            throw error
        }
    }

    /// Checks that the folder is still the opened folder, before the journal changes something in it by its name. Another
    /// process may have created the folder again. Makes one system call, and another one when it renews a lease.
    func verifyFolder(_ lock: FolderLock?) throws(JournalError) {
        guard let lock else { return }
        try verify(lock.identity, FileName.lock)
        try lock.renew(at: now)
    }

    /// Makes the same check before a write to a file that is already open, when a lease may have ended meanwhile.
    func verifyLease(_ lock: FolderLock?) throws(JournalError) {
        if let lock, lock.mustBeRenewed(at: now) { try verifyFolder(lock) }
    }

    private func verify(_ identity: FileIdentity, _ name: String) throws(JournalError) {
        do {
            if try files.fileStatus(at: path(name)).identity == identity { return }
        } catch let error where error.reason == .missing {}
        throw JournalError(.detached, "\(name) was deleted or replaced while it was in use")
    }
}
