import GRDB
import TributaryJSON
import WorkspaceCore

extension Store {
    /// Begins a replay in the place of an earlier one that is over.
    /// - Throws: `Refusal` while another one is not over.
    func begin(_ replay: Replay, of destination: Destination, writeKey: String) async throws {
        let administrator = Administrator.current
        try await change { db in
            let sql = "SELECT state FROM replay WHERE destination = ?"
            let state = try String.fetchOne(db, sql: sql, arguments: [destination.id]).flatMap(Replay.State.init)
            guard state == nil || state == .finished || state == .ended else {
                throw Refusal(.conflict, "a replay to \(destination.name) is not over; end it first")
            }
            try db.execute(sql: "DELETE FROM replay WHERE destination = ?", arguments: [destination.id])
            try db.execute(
                sql: """
                    INSERT INTO replay (destination, query, rate, position, through, state, administrator, startedAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    replay.destination, replay.query, replay.rate, replay.position, replay.through,
                    replay.state.rawValue, replay.administrator, replay.startedAt,
                ])
            try Self.log(db, .replayBegun, replay, destination, writeKey, administrator, replay.startedAt)
        }
    }

    func replay(to destination: Int64) async throws -> Replay? {
        try await pool.read { db in
            let sql = "SELECT * FROM replay WHERE destination = ?"
            return try Row.fetchOne(db, sql: sql, arguments: [destination]).map(Self.replay)
        }
    }

    func runningReplays() async throws -> [Replay] {
        try await pool.read { db in
            let sql = "SELECT * FROM replay WHERE state = ? ORDER BY startedAt"
            return try Row.fetchAll(db, sql: sql, arguments: [Replay.State.running.rawValue]).map(Self.replay)
        }
    }

    /// Events of a destination that wait for an attempt.
    func waitingCount(of destination: Int64) async throws -> Int {
        try await pool.read { db in
            let sql = "SELECT count(*) FROM undelivered WHERE destination = ? AND deadAt IS NULL"
            return try Int.fetchOne(db, sql: sql, arguments: [destination]) ?? 0
        }
    }

    /// Notes how far a replay has come, together with the events that it hands over, so that a crash repeats none.
    /// - Returns: false when the replay does not run any more. Then no event was handed over.
    func note(_ replay: Replay, handing events: [Undelivered], endedAt: Int64?) async throws -> Bool {
        try await change { db in
            try db.execute(
                sql: """
                    UPDATE replay SET position = ?, handedOver = ?, leftOut = ?, state = ?, endedAt = ?
                    WHERE destination = ? AND startedAt = ? AND state = ?
                    """,
                arguments: [
                    replay.position, replay.handedOver, replay.leftOut, replay.state.rawValue, endedAt,
                    replay.destination, replay.startedAt, Replay.State.running.rawValue,
                ])
            guard db.changesCount > 0 else { return false }
            for event in events { try Self.put(event, of: replay.destination, db) }
            return true
        }
    }

    /// Lets a replay wait, go on or end.
    /// - Throws: `Refusal` when there is none, or it is over.
    func set(
        _ state: Replay.State, ofReplayTo destination: Destination, writeKey: String, now: Int64
    ) async throws -> Replay {
        let administrator = Administrator.current
        return try await change { db in
            let sql = "SELECT * FROM replay WHERE destination = ?"
            guard var replay = try Row.fetchOne(db, sql: sql, arguments: [destination.id]).map(Self.replay) else {
                throw Refusal.notFound("there is no replay to \(destination.name)")
            }
            guard replay.state == .running || replay.state == .paused else {
                throw Refusal(.conflict, "the replay to \(destination.name) is over: \(replay.state.rawValue)")
            }
            guard replay.state != state else { return replay }
            replay.state = state
            replay.endedAt = state == .ended ? now : nil
            try db.execute(
                sql: "UPDATE replay SET state = ?, endedAt = ? WHERE destination = ?",
                arguments: [state.rawValue, replay.endedAt, destination.id])
            let action: AuditEntry.Action =
                switch state {
                case .paused: .replayPaused
                case .ended: .replayEnded
                case .running, .finished: .replayResumed
                }
            try Self.log(db, action, replay, destination, writeKey, administrator, now)
            return replay
        }
    }

    private static func log(
        _ db: Database, _ action: AuditEntry.Action, _ replay: Replay, _ destination: Destination, _ writeKey: String,
        _ administrator: Administrator, _ now: Int64
    ) throws {
        let details: JSONObject = [
            "destination": .string(destination.name), "handedOver": .number(replay.handedOver),
            "leftOut": .number(replay.leftOut),
        ]
        try log(
            db, AuditEntry(action: action, writeKey: writeKey, details: details), by: administrator, now: now)
    }

    private static func replay(_ row: Row) throws -> Replay {
        let state = try row.decode(String.self, forColumn: "state")
        return Replay(
            destination: try row.decode(forColumn: "destination"), query: try row.decode(forColumn: "query"),
            rate: try row.decode(forColumn: "rate"), position: try row.decode(forColumn: "position"),
            through: try row.decode(forColumn: "through"), handedOver: try row.decode(forColumn: "handedOver"),
            leftOut: try row.decode(forColumn: "leftOut"), state: Replay.State(rawValue: state) ?? .ended,
            administrator: try row.decode(forColumn: "administrator"),
            startedAt: try row.decode(forColumn: "startedAt"), endedAt: try row.decode(forColumn: "endedAt"))
    }
}
