import Foundation
import GRDB
import TributaryJSON

extension Store {
    /// Runs rules on the newest events of a source, newest first, with the memory of one event.
    ///
    /// Works on a reading connection of its own, so neither requests nor the writer wait for it.
    ///
    /// - Parameter isOver: asked before each event; true ends the run early.
    func dryRun(
        _ run: DryRun, writeKey: String, last: Int, isOver: @escaping @Sendable () -> Bool
    ) async throws -> DryRun {
        let sql = """
            SELECT event.body FROM event JOIN source ON source.id = event.source
            WHERE source.writeKey = ? ORDER BY event.sequence DESC LIMIT ?
            """
        return try await pool.read { db in
            var run = run
            let bodies = try Row.fetchCursor(db, sql: sql, arguments: [writeKey, last])
            while let row = try bodies.next() {
                if isOver() {
                    run.isComplete = false
                    break
                }
                run.take(try JSON.parse([UInt8](try row.decode(Data.self, forColumn: "body"))))
            }
            return run
        }
    }
}
