import TributaryJSON
import WorkspaceCore

extension Store {
    /// Runs rules on the newest events of a source, newest first, with the memory of a few.
    ///
    /// Works on reading connections, so neither requests nor the writer wait for it.
    ///
    /// - Parameters:
    ///   - matches: only events with these values.
    ///   - scans: limits how many searches run at a time.
    ///   - isOver: asked before each event; true ends the run early.
    func dryRun(
        _ run: DryRun, writeKey: String, last: Int, matching matches: [EventQuery.Match] = [], scans: Scans = Scans(),
        isOver: @escaping @Sendable () -> Bool
    ) async throws -> DryRun {
        var run = run
        try await forEachEvents(writeKey: writeKey, newest: last, matching: matches) { rows in
            run = try await scans.look(at: rows.count) { [run] in
                var run = run
                for row in rows {
                    if isOver() {
                        run.isComplete = false
                        break
                    }
                    run.take(try JSON.parse(row.body))
                }
                return run
            }
            return run.isComplete
        }
        return run
    }
}
