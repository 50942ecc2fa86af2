/// A log of the changes of a cluster's settings, in one order for all nodes.
///
/// Records have the places 1, 2, 3 … without a gap, and stay until they are trimmed. Methods may be called from any task.
package protocol ChangeLog: Sendable {
    /// Appends a record behind another one.
    ///
    /// After `LogError.unavailable` the record may be there, at the place behind `last`, or get there later. It never gets to
    /// another place.
    /// - Parameters:
    ///   - id: tells the record from all others.
    ///   - last: the place of the last record; 0 when there is none.
    /// - Returns: its place; nil when the log has another end, and the record is not in it.
    /// - Throws: `LogError`, after a bounded time.
    func append(_ record: [UInt8], id: String, after last: UInt64) async throws -> UInt64?

    /// Reads records in order, beginning at a place; none when there is nothing at that place yet.
    /// - Throws: `LogError`: `trimmed` when the record is gone, `wentBack` when the log ends before the record in front of
    ///   that place.
    func read(from place: UInt64, atMost count: Int) async throws -> [LogRecord]

    /// Removes the records in front of a place. What is gone already is no error.
    /// - Throws: `LogError`: `refused` when there is no record at the place, or the log keeps all records; then nothing was
    ///   removed.
    func trim(before place: UInt64) async throws

    /// The first and the last record.
    func standing() async throws -> LogStanding
}
