extension Journal {
    /// Checks that the files that are being written to are still in the folder.
    ///
    /// Writing to a file that somebody has deleted succeeds, and the record is gone with the file. So the owner should
    /// ask now and then, such as once for every batch. A few system calls.
    /// - Throws: `.detached` when the folder or its files were deleted or replaced: the journal should then be closed and
    ///   opened again. `.closed`, or what the system reported, which says nothing about the files.
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
            // It may have been removed properly meanwhile.
            guard state.withLock({ $0.activeFile === active }) else { return }
            throw error
        }
    }

    /// Checks that the folder is still the one that was opened, before anything in it is changed by its name: another
    /// process may have made the folder again. One system call, and another one when a lease is renewed.
    func verifyFolder(_ lock: FolderLock?) throws(JournalError) {
        guard let lock else { return }
        try verify(lock.identity, FileName.lock)
        try lock.renew(at: now)
    }

    /// Checks the same before something is written to a file that is open already, when a lease may have ended meanwhile.
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
