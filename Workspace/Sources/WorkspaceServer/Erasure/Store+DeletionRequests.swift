import Foundation
import GRDB
import TributaryJSON
import WorkspaceCore

/// A request to a destination to delete its data of a user.
struct DeletionRequest: Sendable, Equatable, Decodable, FetchableRecord {
    let id: Int64
    let destination: Int64
    /// The digest of the user.
    let person: Data
    /// The body to send; nil when the request is over, because the body names the user.
    let body: Data?
    let at: Int64
    let attempts: Int
    let dueAt: Int64
    /// When it was accepted or given up.
    let endedAt: Int64?
    let isAccepted: Bool
    /// The last answer of the destination.
    let answer: String?

    /// The same for each attempt, so that a receiver recognises a repetition.
    var messageId: String { "delete-\(id)-\(person.hexadecimal.prefix(16))" }
}

extension Store {
    /// Asks every webhook that takes deletions, and every warehouse, to delete its data of a user.
    /// - Returns: how many there are.
    func requestDeletions(of userId: String, devices: Set<Data>, now: Int64) async throws -> Int {
        try await change { db in
            let person = try Self.digest(.user, Data(userId.utf8), db)
            let body: JSON = [
                "type": "delete", "userId": .string(userId),
                "anonymousIds": .array(
                    devices.map { .string(String(decoding: $0, as: UTF8.self)) }.sorted { "\($0)" < "\($1)" }),
                "timestamp": .time(now),
            ]
            try db.execute(
                sql: """
                    INSERT INTO deletionRequest (destination, person, body, at, dueAt)
                    SELECT id, ?, ?, ?, ? FROM destination
                    WHERE kind IN ('postgres', 'clickhouse')
                        OR kind = 'webhook' AND json_extract(CAST(settings AS TEXT), '$.deletions') = 1 ORDER BY id
                    """,
                arguments: [person, Data(body.encoded()), now, now])
            return db.changesCount
        }
    }

    /// The requests that are not over, the earliest due first.
    func openDeletions() async throws -> [DeletionRequest] {
        try await pool.read { db in
            try DeletionRequest.fetchAll(
                db, sql: "SELECT * FROM deletionRequest WHERE endedAt IS NULL ORDER BY dueAt, id LIMIT 100")
        }
    }

    /// The requests to a destination, the newest first.
    func deletions(of destination: Int64, before id: Int64, limit: Int) async throws -> [DeletionRequest] {
        try await pool.read { db in
            try DeletionRequest.fetchAll(
                db, sql: "SELECT * FROM deletionRequest WHERE destination = ? AND id < ? ORDER BY id DESC LIMIT ?",
                arguments: [destination, id, limit])
        }
    }

    /// Notes an attempt.
    /// - Parameter dueAt: when the next one is due; nil when the request is over, and then its body is deleted.
    func noteDeletion(_ id: Int64, isAccepted: Bool, answer: String, dueAt: Int64?, now: Int64) async throws {
        try await change { db in
            try db.execute(
                sql: """
                    UPDATE deletionRequest SET attempts = attempts + 1, isAccepted = ?1, answer = ?2,
                        dueAt = coalesce(?3, dueAt), endedAt = CASE WHEN ?3 IS NULL THEN ?4 END,
                        body = CASE WHEN ?3 IS NULL THEN NULL ELSE body END WHERE id = ?5
                    """,
                arguments: [isAccepted, answer, dueAt, now, id])
        }
    }
}
