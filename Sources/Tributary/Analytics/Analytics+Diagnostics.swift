extension Analytics {
    /// Where events went since this client was made.
    public var counters: EventCounters { counterStore.current }

    /// Everything worth knowing, as it happens; a slow reader loses the oldest.
    public var diagnostics: AsyncStream<Diagnostic> { hub.stream }

    /// Calls the handler with everything worth knowing, one after another on a background thread.
    /// - Returns: a number for `stopObservingDiagnostics`.
    @discardableResult
    public func observeDiagnostics(_ handler: @escaping @Sendable (Diagnostic) -> Void) -> Int { hub.observe(handler) }

    /// Ends an observation.
    public func stopObservingDiagnostics(_ id: Int) { hub.stopObserving(id) }
}
