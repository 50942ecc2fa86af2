extension Analytics {
    /// Whether what is tracked now survives the end of the process, why not, and what waits. Cheap.
    public var storageState: StorageState {
        var (reason, detail) = eventQueue.weakness
        if let failure = held.failure { (reason, detail) = (StorageState.Reason(failure), "\(failure)") }
        let queues = [eventQueue.state.adding(held.events)] + adoption.queues.map(\.state)
        return StorageState(reason: reason, detail: detail, queues: queues)
    }

    /// Gives up every event that was tracked before this call and not yet sent, refused ones included: on disk, in memory,
    /// and what ended processes of this app left. Who the user is stays, and so does every file that is not the client's.
    ///
    /// Events that were tracked are gone from disk when the call returns; events that were processed, shortly after. A
    /// request that is under way is not called back; a copy that waits for the system to send it is
    /// (`uploadsInBackground`).
    ///
    /// On a full or failing disk nothing of it is sent either, now or after a restart, as long as files can be renamed
    /// there; what is left of its bytes goes as soon as the disk takes note. A diagnostic says so ("cannot be deleted"),
    /// and another when it is done.
    /// - Parameter completion: called on a background thread when all is given up.
    public func purgeStorage(completion: (@Sendable () -> Void)? = nil) {
        held.giveUpEvents()
        visit(Lifecycle.self) { $0.withdrawCopy() }
        if holds(.init(other: { $0.purgeNow(completion) }, ended: completion)) { return }
        purgeNow(completion)
    }

    private func purgeNow(_ completion: (@Sendable () -> Void)?) {
        for eventQueue in [eventQueue] + adoption.beginPurge() { eventQueue.beginPurge() }
        writer.purgePending()
        pipeline.purge { [adoption] in adoption.endPurge { completion?() } }
    }
}
