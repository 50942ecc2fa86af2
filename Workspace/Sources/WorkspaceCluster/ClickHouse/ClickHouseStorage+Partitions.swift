import WorkspaceCore
import WorkspaceServer

extension ClickHouseStorage: PartitionStore {
    func messages(
        of partition: Int, before number: Int64, newest milliseconds: Int64
    ) async throws -> [RowIdentity: MessageLocation] {
        guard let last = try await newestArrival(of: partition, before: number) else { return [:] }
        let first = last - milliseconds
        var query = ClickHouseQuery()
        let conditions = [
            rows(of: partition, before: number, &query), "day >= \(query.value(Day(milliseconds: first).number))",
            "slot >= \(query.value(ClickHouseTable.slot(first)))", "receivedAt >= \(query.value(first))",
        ]
        query.text =
            "SELECT kind, source, key, day, receivedAt FROM \(table) WHERE \(conditions.joined(separator: " AND "))"
        return try Self.places(try await client.read(query, isWhole: true), keeping: .last)
    }

    /// The time at which the last row arrived. A row is usually stored soon after its arrival, so the hours just before
    /// the number are searched first.
    private func newestArrival(of partition: Int, before number: Int64) async throws -> Int64? {
        let time = ClusterNumber.time(of: number)
        for hours in Self.reaches where hours.map({ time > $0 * Self.hour }) ?? true {
            var query = ClickHouseQuery()
            var conditions = [rows(of: partition, before: number, &query)]
            if let first = hours.map({ time - $0 * Self.hour }) {
                conditions.append("day >= \(query.value(Day(milliseconds: first).number))")
                conditions.append("slot >= \(query.value(ClickHouseTable.slot(first)))")
            }
            query.text =
                "SELECT count(), max(receivedAt) FROM \(table) WHERE \(conditions.joined(separator: " AND "))"
            var answer = try await client.read(query, isWhole: true)
            if try answer.number(UInt64.self) > 0 { return try answer.number() }
        }
        return nil
    }

    private static let hour: Int64 = 3_600_000
    /// How far back the last row is searched, in hours; nil for any time.
    private static let reaches: [Int64?] = [2, 48, nil]

    func places(
        of identities: [RowIdentity], in partition: Int, before number: Int64, on days: ClosedRange<Day>
    ) async throws -> [RowIdentity: MessageLocation] {
        var query = ClickHouseQuery()
        let conditions = [
            rows(of: partition, before: number, &query), "day >= \(query.value(days.lowerBound.number))",
            "day <= \(query.value(days.upperBound.number))",
        ]
        query.text = """
            SELECT kind, source, key, day, receivedAt FROM \(table) PREWHERE key IN \(query.list(identities.map(\.key)))
            WHERE \(conditions.joined(separator: " AND "))
            """
        let wanted = Set(identities)
        return try Self.places(try await client.read(query, isWhole: true), keeping: .first).filter {
            wanted.contains($0.key)
        }
    }

    private func rows(of partition: Int, before number: Int64, _ query: inout ClickHouseQuery) -> String {
        let (last, bits) = (query.value(number), ClusterNumber.partitions - 1)
        return "kind != \(ClickHouseTable.markerKind) AND number < \(last) AND bitAnd(number, \(bits)) = \(partition)"
    }

    /// Which of several rows with the same identity counts.
    private enum Kept {
        /// The row that arrived first. It stays when rows are merged.
        case first
        /// The row that arrived last, as in the index of an owner that stored them.
        case last
    }

    /// Both questions read the table as it is: merging the rows of the same identity would cost more than reading them all.
    private static func places(
        _ answer: RowBinaryReader, keeping kept: Kept
    ) throws(ClickHouseError) -> [RowIdentity: MessageLocation] {
        var answer = answer
        var places: [RowIdentity: MessageLocation] = [:]
        while !answer.isAtEnd {
            let identity = try answer.identity()
            let day = Day(number: Int64(try answer.number(Int32.self)))
            let place = MessageLocation(day: day, receivedAt: try answer.number())
            let other = places[identity]
            let isLater = other.map { $0.receivedAt < place.receivedAt } ?? true
            if other == nil || isLater == (kept == .last) { places[identity] = place }
        }
        return places
    }
}
