extension Analytics {
    /// Where events went since this client was made.
    public var counters: EventCounters { counterStore.current }

    /// Everything worth knowing, as it happens; a slow reader loses the oldest.
    public var diagnostics: AsyncStream<Diagnostic> { hub.stream }

    /// Calls the handler with everything worth knowing, one after another on a background thread.
    @discardableResult
    public func observeDiagnostics(_ handler: @escaping @Sendable (Diagnostic) -> Void) -> Observation {
        let id = hub.observe(handler)
        return Observation { [hub] in hub.stopObserving(id) }
    }
}
