/// What a partition's owner needs of the store.
protocol PartitionStore: Sendable {
    /// See `EventStorage`.
    func append(_ block: EventBlock) async throws

    /// Where the rows are that arrived last.
    /// - Parameters:
    ///   - numbers: those of the rows.
    ///   - milliseconds: how much earlier than the last one a row may have arrived.
    func messages(numbers: Range<Int64>, newest milliseconds: Int64) async throws -> [RowIdentity: MessagePlace]

    /// Where some rows are, if they are there.
    /// - Parameters:
    ///   - numbers: those that the rows may have.
    ///   - days: those that the rows may lie in.
    func places(
        of identities: [RowIdentity], numbers: Range<Int64>, on days: ClosedRange<Day>
    ) async throws -> [RowIdentity: MessagePlace]
}
