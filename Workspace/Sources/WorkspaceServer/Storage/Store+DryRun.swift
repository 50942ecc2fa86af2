extension Store {
    /// Runs rules on the newest events of a source, newest first, with the memory of a few.
    ///
    /// Works on reading connections, so neither requests nor the writer wait for it.
    ///
    /// - Parameter isOver: asked before each event; true ends the run early.
    func dryRun(
        _ run: DryRun, writeKey: String, last: Int, isOver: @escaping @Sendable () -> Bool
    ) async throws -> DryRun {
        var run = run
        try await forEachEvent(writeKey: writeKey, newest: last) { event in
            guard !isOver() else {
                run.isComplete = false
                return false
            }
            run.take(event)
            return true
        }
        return run
    }
}
