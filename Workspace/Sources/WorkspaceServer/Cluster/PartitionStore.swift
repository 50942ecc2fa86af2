/// What a partition's owner needs of the store.
protocol PartitionStore: Sendable {
    /// See `EventStorage`.
    func append(_ block: EventBlock) async throws

    /// Where the rows are that arrived last.
    /// - Parameters:
    ///   - partition: that of the rows.
    ///   - number: that of a row behind them.
    ///   - milliseconds: how much earlier than the last one a row may have arrived.
    func messages(
        of partition: Int, before number: Int64, newest milliseconds: Int64
    ) async throws -> [RowIdentity: MessagePlace]

    /// Where some rows are, if they are there.
    /// - Parameters:
    ///   - partition: that of the rows.
    ///   - number: that of a row behind them.
    ///   - days: those that the rows may lie in.
    func places(
        of identities: [RowIdentity], in partition: Int, before number: Int64, on days: ClosedRange<Day>
    ) async throws -> [RowIdentity: MessagePlace]
}
