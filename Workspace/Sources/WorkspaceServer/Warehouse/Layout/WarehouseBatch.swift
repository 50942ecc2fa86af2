import TributaryJSON
import WorkspaceCore

/// Some events as the rows of a warehouse, which are loaded together.
struct WarehouseBatch: Sendable {
    /// An event of a session.
    struct Visit: Sendable, Equatable {
        let table: String
        let id: String
        let session: String
        let anonymousId: String
        let userId: String?
        let time: Int64
    }

    private struct Identity: Hashable {
        let anonymousId: String
        let userId: String
    }

    private(set) var rows: [String: [WarehouseRow]] = [:]
    private(set) var visits: [Visit] = []
    private(set) var events = 0
    private let times: WarehouseTimes
    private var ids: [String: Set<String>] = [:]
    private var identities: [Identity: ClosedRange<Int64>] = [:]
    private var newTables: Set<String> = []

    /// - Parameter times: the times that a column of the database holds.
    init(times: WarehouseTimes = .all) { self.times = times }

    /// - Parameter event: as a destination gets it.
    mutating func add(_ event: JSON, layout: inout WarehouseLayout, schema: WarehouseSchema) {
        let new = newTables
        let rows = layout.rows(event) { schema.admits($0, new: new) }
        events += 1
        // An id that comes twice is one event.
        guard let first = rows.first, let id = first[fixed: "id"], ids[first.table, default: []].insert(id).inserted
        else { return }
        for row in rows {
            if !schema.has(row.table), !WarehouseTable.names.contains(row.table) { newTables.insert(row.table) }
            self.rows[row.table, default: []].append(row)
        }
        if first.table == WarehouseTable.identifies { addUser(first) }
        addPerson(event, first, id)
    }

    private mutating func addUser(_ identify: WarehouseRow) {
        guard let userId = identify[fixed: "user_id"] else { return }
        var user = WarehouseRow(table: WarehouseTable.users)
        user.fixed = [("id", WarehouseValue(kind: .text, text: WarehouseLayout.key(userId)))]
        user.fixed += identify.fixed.filter { $0.column == "received_at" }
        (user.fields, user.extra) = (identify.fields, identify.extra)
        rows[WarehouseTable.users, default: []].append(user)
    }

    /// Notes the user of the anonymous id, and the session.
    private mutating func addPerson(_ event: JSON, _ row: WarehouseRow, _ id: String) {
        let times = ["timestamp", "received_at"].lazy.compactMap { row[fixed: $0].flatMap(ISO8601.milliseconds) }
        guard let time = times.first else { return }
        let userId = row[fixed: "user_id"].map(WarehouseLayout.key)
        let anonymousId = row[fixed: "anonymous_id"].map(WarehouseLayout.key)
        let earlier = row.table == WarehouseTable.aliases ? row[fixed: "previous_id"].map(WarehouseLayout.key) : nil
        if let userId {
            for other in [anonymousId, earlier].compactMap(\.self) {
                let identity = Identity(anonymousId: other, userId: userId)
                let known = identities[identity] ?? time...time
                identities[identity] = min(known.lowerBound, time)...max(known.upperBound, time)
            }
        }
        let context = event["context"]
        guard let session = (context?["session"]?["id"] ?? context?["sessionId"]).flatMap(WarehouseValue.init) else {
            return
        }
        visits.append(
            Visit(
                table: row.table, id: id, session: WarehouseLayout.key(session.text), anonymousId: anonymousId ?? "",
                userId: userId, time: time))
    }

    /// The tables of the rows, always in the same order.
    var tables: [String] { rows.keys.sorted() }

    /// The rows of a table, with the columns that they need.
    func load(of table: String, _ schema: WarehouseSchema) -> WarehouseLoad {
        let load = WarehouseLoad(table: table, rows[table] ?? [], schema.columns(of: table), times)
        return table == WarehouseTable.users ? load.merged() : load
    }

    /// The rows of the table of identities.
    var identityLoad: WarehouseLoad {
        let rows = identities.map { identity, times in
            [
                identity.anonymousId, identity.userId, ISO8601.string(milliseconds: times.lowerBound),
                ISO8601.string(milliseconds: times.upperBound),
            ] as [String?]
        }
        return WarehouseLoad(
            table: WarehouseTable.identities, columns: WarehouseTable.columns(of: WarehouseTable.identities),
            rows: Self.sorted(rows))
    }

    /// The rows of the table of sessions.
    /// - Parameter isNew: whether the warehouse did not have the event before, so that it counts.
    func sessionLoad(_ isNew: (Visit) -> Bool) -> WarehouseLoad {
        struct Key: Hashable { let session: String, anonymousId: String }
        struct Figures { var userId: String?, first: Int64, last: Int64, events: Int }
        var sessions: [Key: Figures] = [:]
        for visit in visits where isNew(visit) {
            let key = Key(session: visit.session, anonymousId: visit.anonymousId)
            var known = sessions[key] ?? Figures(userId: nil, first: visit.time, last: visit.time, events: 0)
            known.userId = visit.userId ?? known.userId
            (known.first, known.last) = (min(known.first, visit.time), max(known.last, visit.time))
            known.events += 1
            sessions[key] = known
        }
        let rows = sessions.map { key, figures in
            [
                key.session, key.anonymousId, figures.userId, ISO8601.string(milliseconds: figures.first),
                ISO8601.string(milliseconds: figures.last), String(figures.events),
            ] as [String?]
        }
        return WarehouseLoad(
            table: WarehouseTable.sessions, columns: WarehouseTable.columns(of: WarehouseTable.sessions),
            rows: Self.sorted(rows))
    }

    /// Always the same order, so that two loads at a time do not wait for each other.
    private static func sorted(_ rows: [[String?]]) -> [[String?]] {
        rows.sorted { ($0[0] ?? "", $0[1] ?? "") < ($1[0] ?? "", $1[1] ?? "") }
    }
}
