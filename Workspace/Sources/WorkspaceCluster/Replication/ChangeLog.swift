import WorkspaceCore
import WorkspaceServer

/// A log of the changes of a cluster's settings, in one order for all nodes.
///
/// Records have the places 1, 2, 3 … without a gap, and stay until they are trimmed. Methods may be called from any task.
package protocol ChangeLog: Sendable {
    /// Appends a record after another one.
    ///
    /// After `LogError.unavailable` the record may be in the log, at the place after `last`, or may get there later. It
    /// never gets to another place.
    /// - Parameters:
    ///   - id: differs for each record.
    ///   - last: the place of the last record; 0 when there is none.
    /// - Returns: its place; nil when the log ends at another place, and the record was not appended.
    /// - Throws: `LogError`, after a bounded time.
    func append(_ record: [UInt8], id: String, after last: UInt64) async throws -> UInt64?

    /// Reads records in order, beginning at a place; none when the log has no record at that place yet.
    /// - Throws: `LogError`: `trimmed` when the record is gone, `wentBack` when the log ends before the record in front of
    ///   that place.
    func read(from place: UInt64, atMost count: Int) async throws -> [LogRecord]

    /// Removes the records before a place. It is no error when they were removed before.
    /// - Throws: `LogError`: `refused` when there is no record at the place, or the log keeps all records; then nothing was
    ///   removed.
    func trim(before place: UInt64) async throws

    /// The first and the last record.
    func standing() async throws -> LogRange
}
