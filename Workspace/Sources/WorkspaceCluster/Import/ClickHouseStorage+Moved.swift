import WorkspaceCore
import WorkspaceServer

extension ClickHouseStorage {
    /// The last row of each kind in a day, with its number.
    func lastRows(of day: Day) async throws -> [RowIdentity: Int64] {
        var query = ClickHouseQuery()
        let bound = query.value(day.number)
        query.text = """
            SELECT kind, argMax(source, number), argMax(key, number), max(number) FROM \(table)
            WHERE day = \(bound) AND kind != \(ClickHouseTable.markerKind) GROUP BY kind
            """
        var answer = try await client.read(query)
        var rows: [RowIdentity: Int64] = [:]
        while !answer.isAtEnd { rows[try answer.identity()] = try answer.number() }
        return rows
    }

    /// The number of rows of each kind. A row that is stored twice counts once.
    func movedCounts() async throws -> ClusterImport.Counts {
        var answer = try await client.read(
            ClickHouseQuery(
                "SELECT kind, count() FROM \(rows) WHERE kind != \(ClickHouseTable.markerKind) GROUP BY kind"))
        var counts = ClusterImport.Counts()
        while !answer.isAtEnd {
            let (kind, count) = (try answer.number(UInt8.self), try answer.number(UInt64.self))
            guard let kind = RowIdentity.Kind(rawValue: kind) else { continue }
            counts.add(Int(clamping: count), of: kind)
        }
        return counts
    }
}
