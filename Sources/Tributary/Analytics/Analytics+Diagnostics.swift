extension Analytics {
    /// Counts of where events went since this client was made.
    public var counters: EventCounters { counterStore.current }

    /// A stream of all diagnostics. A slow reader loses the oldest.
    public var diagnostics: AsyncStream<Diagnostic> { hub.stream }

    /// Calls the handler with each diagnostic, one after another on a background thread.
    @discardableResult
    public func observeDiagnostics(_ handler: @escaping @Sendable (Diagnostic) -> Void) -> Observation {
        let id = hub.observe(handler)
        return Observation { [hub] in hub.stopObserving(id) }
    }
}
