extension Analytics {
    /// Whether a tracked event survives the end of the process now, why it does not, and how much waits. Cheap to read.
    public var storageState: StorageState {
        var (reason, detail) = eventQueue.weakness
        if let failure = held.failure { (reason, detail) = (StorageState.Reason(failure), "\(failure)") }
        let queues = [eventQueue.state.adding(held.events)] + adoption.queues.map(\.state)
        return StorageState(reason: reason, detail: detail, queues: queues)
    }

    /// Deletes all events that were tracked before this call and not yet sent, refused events included. It deletes them
    /// from disk, from memory and from the queues of ended processes of this app. The identity of the user stays, and
    /// so do all files of others.
    ///
    /// Events that no plugin has processed are gone from disk when the call returns, processed events shortly after. A
    /// request that is under way still reaches the server. A copy that waits for the system to send it
    /// (`uploadsInBackground`) is withdrawn.
    ///
    /// On a full or failing disk, none of these events is sent, now or after a restart, as long as files can be renamed
    /// there. The client deletes the bytes when the disk allows that. A diagnostic reports the delay ("cannot be
    /// deleted"), and another one its end.
    /// - Parameter completion: called on a background thread when everything is deleted.
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
