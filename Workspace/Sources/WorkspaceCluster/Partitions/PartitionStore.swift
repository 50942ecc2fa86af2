import WorkspaceCore
import WorkspaceServer

/// The part of the store that a partition's owner uses.
protocol PartitionStore: Sendable {
    /// See `EventStorage`.
    func append(_ block: EventBlock) async throws

    /// The places of the rows that arrived last.
    /// - Parameters:
    ///   - partition: that of the rows.
    ///   - number: that of a row behind them.
    ///   - milliseconds: how much earlier than the last one a row may have arrived.
    func messages(
        of partition: Int, before number: Int64, newest milliseconds: Int64
    ) async throws -> [RowIdentity: MessageLocation]

    /// The places of these rows, as far as the store has them.
    /// - Parameters:
    ///   - partition: that of the rows.
    ///   - number: that of a row behind them.
    ///   - days: the days on which the rows may lie.
    func places(
        of identities: [RowIdentity], in partition: Int, before number: Int64, on days: ClosedRange<Day>
    ) async throws -> [RowIdentity: MessageLocation]
}
