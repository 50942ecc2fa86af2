extension Analytics {
    /// Where events went since this client was made.
    public var counters: EventCounters { accounts.current }

    /// Whether what is tracked now survives the end of the process, why not, and what waits. Cheap.
    public var storageState: StorageState {
        let (reason, detail) = lane.weakness
        return StorageState(reason: reason, detail: detail, lanes: ([lane] + adoption.lanes).map(\.state))
    }

    /// Everything worth knowing, as it happens; a slow reader loses the oldest.
    public var diagnostics: AsyncStream<Diagnostic> { hub.stream }

    /// Calls the handler with everything worth knowing, one after another on a background thread.
    /// - Returns: a number for `stopObservingDiagnostics`.
    @discardableResult
    public func observeDiagnostics(_ handler: @escaping @Sendable (Diagnostic) -> Void) -> Int { hub.observe(handler) }

    /// Ends an observation.
    public func stopObservingDiagnostics(_ id: Int) { hub.stopObserving(id) }
}
