extension ClickHouseStorage: PartitionStore {
    func messages(
        of partition: Int, before number: Int64, newest milliseconds: Int64
    ) async throws -> [RowIdentity: MessagePlace] {
        var query = ClickHouseQuery()
        var condition = rows(of: partition, before: number, &query)
        query.text = "SELECT count(), max(receivedAt) FROM \(table) WHERE \(condition)"
        var answer = try await client.read(query)
        guard try answer.number(UInt64.self) > 0 else { return [:] }
        let first = try answer.number(Int64.self) - milliseconds
        query = ClickHouseQuery()
        condition = rows(of: partition, before: number, &query)
        let (day, bound) = (query.value(Day(milliseconds: first).number), query.value(first))
        query.text = """
            SELECT kind, source, key, day, receivedAt FROM \(rows)
            WHERE \(condition) AND day >= \(day) AND receivedAt >= \(bound)
            """
        return try Self.places(try await client.read(query))
    }

    func places(
        of identities: [RowIdentity], in partition: Int, before number: Int64, on days: ClosedRange<Day>
    ) async throws -> [RowIdentity: MessagePlace] {
        var query = ClickHouseQuery()
        let conditions = [
            rows(of: partition, before: number, &query), "day >= \(query.value(days.lowerBound.number))",
            "day <= \(query.value(days.upperBound.number))", "key IN \(query.list(identities.map(\.key)))",
        ]
        query.text =
            "SELECT kind, source, key, day, receivedAt FROM \(rows) WHERE \(conditions.joined(separator: " AND "))"
        let wanted = Set(identities)
        return try Self.places(try await client.read(query)).filter { wanted.contains($0.key) }
    }

    private func rows(of partition: Int, before number: Int64, _ query: inout ClickHouseQuery) -> String {
        let (last, bits) = (query.value(number), ClusterNumber.partitions - 1)
        return "kind != \(ClickHouseTable.markerKind) AND number < \(last) AND bitAnd(number, \(bits)) = \(partition)"
    }

    private static func places(_ answer: RowBinaryReader) throws(ClickHouseError) -> [RowIdentity: MessagePlace] {
        var answer = answer
        var places: [RowIdentity: MessagePlace] = [:]
        while !answer.isAtEnd {
            let identity = try answer.identity()
            let day = Day(number: Int64(try answer.number(Int32.self)))
            places[identity] = MessagePlace(day: day, receivedAt: try answer.number())
        }
        return places
    }
}
