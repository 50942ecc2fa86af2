import GRDB
import WorkspaceCore

extension Store {
    /// Events, traces and signals between two sequences, the lower one excluded, in order; a part of them when there are many.
    package func messages(after: Int64, through end: Int64) async throws -> [StreamMessage] {
        var query = RowQuery(.stream)
        query.writeKeys = try await seenWriteKeys()
        query.sources = Administrator.current.sight.sources
        query.after = after
        query.before = end == .max ? nil : end + 1
        query.order = .ascending
        return try await storage.rows(query).map(StreamMessage.init)
    }
}
