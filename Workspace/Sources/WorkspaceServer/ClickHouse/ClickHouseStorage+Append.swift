extension ClickHouseStorage {
    /// All rows of a block are one insert. The server splits it into a block for each day.
    func append(_ block: EventBlock) async throws {
        guard !block.rows.isEmpty else { return }
        try await insert(block.rows.map { ClickHouseRow($0, storedAt: block.storedAt) })
    }

    func insert(_ rows: [ClickHouseRow]) async throws {
        var bytes = RowBinaryWriter()
        bytes.reserve(rows.reduce(0) { $0 + $1.body.count + 256 })
        for row in rows { row.write(to: &bytes) }
        try await client.insert(ClickHouseTable.insertion(client.settings), rows: bytes.bytes)
    }
}
