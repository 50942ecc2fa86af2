import Foundation
import GRDB
import TributaryJSON
import WorkspaceCore

extension Store {
    /// The parts of a new or changed destination.
    struct DestinationChange: Sendable {
        var kind: DestinationKind?
        var settings: JSONObject?
        /// The consent categories that it needs.
        var categories: [String]?
        /// For a kind that takes one.
        var secret: [UInt8]?
        /// The secrets of a function by name; nil removes one. They are part of `secret` before the change is stored.
        var secrets: [String: String?]?
        /// The revision of the destination that the change was made for; nil when that does not matter.
        var revision: Int64?
        var isEnabled: Bool?
        /// How other settings of a function go to its users; nil for all at once.
        var rollout: FunctionRolloutPlan?
        /// Whether a new destination gets the events that are stored already.
        var fromStart: Bool?
    }

    /// A destination with the state of its delivery.
    package struct DestinationFigures: Sendable, Equatable, Decodable, FetchableRecord {
        /// Events up to this number are finished.
        let position: Int64
        let delivered: Int64
        let skipped: Int64
        /// Events that it did not get because of consent, and those of them that may be sent later.
        let withheld: Int64
        let held: Int64
        let retrying: Int64
        let deadLetters: Int64
        let lastDeliveredAt: Int64?
    }

    /// The destinations of a source by name.
    func destinations(of source: Int64) async throws -> [Destination] {
        try await pool.read { db in
            try Destination.fetchAll(
                db, sql: "SELECT * FROM destination WHERE source = ? ORDER BY name", arguments: [source])
        }
    }

    func destination(_ name: String, of source: Int64) async throws -> Destination? {
        try await pool.read { db in try Self.destination(db, name, source) }
    }

    /// All that are switched on, with the name of their source.
    func enabledDestinations() async throws -> [(destination: Destination, writeKey: String)] {
        try await pool.read { db in
            let sql = """
                SELECT destination.*, source.writeKey FROM destination JOIN source ON source.id = destination.source
                WHERE isEnabled
                """
            return try Row.fetchAll(db, sql: sql).map {
                (try Destination(row: $0), try $0.decode(String.self, forColumn: "writeKey"))
            }
        }
    }

    /// Adds a destination or changes it.
    /// - Parameter secret: that of a new one, unless its kind takes one.
    /// - Throws: `Refusal` when something is missing or cannot be changed.
    func putDestination(
        _ name: String, of source: Source, _ change: DestinationChange, secret: [UInt8], now: Int64
    ) async throws -> (destination: Destination, isNew: Bool) {
        let administrator = Administrator.current
        // On a node of a cluster the tables do not say which event is the last.
        let last = try await lastSequence()
        return try await self.change { db in
            let old = try Self.destination(db, name, source.id)
            if let old {
                try Self.update(db, old, change, now)
            } else {
                try Self.insert(db, name, source, change, secret, after: last, now)
            }
            var details: JSONObject = ["destination": .string(name), "enabled": .bool(change.isEnabled)]
            let destination = try Self.known(db, name, source.id)
            if destination.kind == .function {
                try FunctionVersion.note(
                    destination.settings, of: destination.functionOwner,
                    replacing: old.map { ($0.settings, $0.updatedAt) }, by: administrator, now: now, db)
            }
            if let plan = change.rollout {
                try Self.beginRollout(plan, of: destination, replacing: old, now: now, db)
                details["rollout"] = plan.json["stages"]
            } else if let old, destination.settings != old.settings {
                try Self.forgetRollout(of: destination.id, db)
            }
            if destination.categories != old?.categories ?? [] {
                details["categories"] = .strings(destination.categories)
            }
            if destination.categories != old?.categories { try Self.noteCategories(of: source.id, now, db) }
            let entry = AuditEntry(
                action: old == nil ? .destinationMade : .destinationChanged, writeKey: source.writeKey, details: details
            )
            try Self.log(db, entry, by: administrator, now: now)
            if old != nil, change.secret != nil {
                let entry = AuditEntry(
                    action: .secretReplaced, writeKey: source.writeKey, details: ["destination": .string(name)])
                try Self.log(db, entry, by: administrator, now: now)
            }
            return (destination, old == nil)
        }
    }

    /// Removes a destination with the events that wait for it; nil when there is no such destination.
    func removeDestination(_ name: String, of source: Source, now: Int64) async throws -> Destination? {
        let administrator = Administrator.current
        return try await change { db in
            guard let destination = try Self.destination(db, name, source.id) else { return nil }
            for table in ["undelivered", "replay"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE destination = ?", arguments: [destination.id])
            }
            try FunctionVersion.remove(of: destination.functionOwner, db)
            try db.execute(sql: "DELETE FROM destination WHERE id = ?", arguments: [destination.id])
            try Self.noteCategories(of: source.id, now, db)
            let entry = AuditEntry(
                action: .destinationRemoved, writeKey: source.writeKey, details: ["destination": .string(name)])
            try Self.log(db, entry, by: administrator, now: now)
            return destination
        }
    }

    /// Gives a destination another secret; the one before signs besides it for a while.
    func replaceSecret(
        of name: String, of source: Source, by secret: [UInt8], now: Int64
    ) async throws -> Destination? {
        let administrator = Administrator.current
        return try await change { db in
            guard let destination = try Self.destination(db, name, source.id) else { return nil }
            try db.execute(
                sql: """
                    UPDATE destination SET secret = ?, previousSecret = ?, secretChangedAt = ?, updatedAt = ?,
                        revision = revision + 1 WHERE id = ?
                    """,
                arguments: [Data(secret), Data(destination.secrets.current), now, now, destination.id])
            let entry = AuditEntry(
                action: .secretReplaced, writeKey: source.writeKey, details: ["destination": .string(name)])
            try Self.log(db, entry, by: administrator, now: now)
            return try Self.known(db, name, source.id)
        }
    }

    func figures(of destination: Int64) async throws -> DestinationFigures {
        try await pool.read { db in
            let sql = """
                SELECT position, delivered, skipped, withheld, held, lastDeliveredAt,
                    (SELECT count(*) FROM undelivered WHERE destination = id AND deadAt IS NULL) AS retrying,
                    (SELECT count(*) FROM undelivered WHERE destination = id AND deadAt IS NOT NULL) AS deadLetters
                FROM destination WHERE id = ?
                """
            return try DestinationFigures.fetchOne(db, sql: sql, arguments: [destination])
                ?? DestinationFigures(
                    position: 0, delivered: 0, skipped: 0, withheld: 0, held: 0, retrying: 0, deadLetters: 0,
                    lastDeliveredAt: nil)
        }
    }

    /// Settings of clients name the categories, so the source is another one now.
    private static func noteCategories(of source: Int64, _ now: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE source SET revision = revision + 1, updatedAt = ? WHERE id = ?", arguments: [now, source])
    }

    private static func text(_ categories: [String]) -> String {
        String(decoding: JSON.strings(categories).encoded(), as: UTF8.self)
    }

    private static func destination(_ db: Database, _ name: String, _ source: Int64) throws -> Destination? {
        try Destination.fetchOne(
            db, sql: "SELECT * FROM destination WHERE source = ? AND name = ?", arguments: [source, name])
    }

    private static func known(_ db: Database, _ name: String, _ source: Int64) throws -> Destination {
        guard let destination = try destination(db, name, source) else {
            throw DatabaseError(resultCode: .SQLITE_NOTFOUND)
        }
        return destination
    }

    private static func insert(
        _ db: Database, _ name: String, _ source: Source, _ change: DestinationChange, _ secret: [UInt8],
        after last: Int64, _ now: Int64
    ) throws {
        guard let kind = change.kind, let settings = change.settings else {
            throw Refusal.invalid("a new destination needs a kind and settings")
        }
        try checkSecret(change, kind)
        let count = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM destination WHERE source = ?", arguments: [source.id])
        guard count ?? 0 < Limits.destinationsOfSource else {
            throw Refusal(.conflict, "a source has at most \(Limits.destinationsOfSource) destinations")
        }
        try db.execute(
            sql: """
                INSERT INTO destination (source, name, kind, settings, secret, secretChangedAt, isEnabled, createdAt,
                    updatedAt, revision, position, beginsAfter, categories)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1, ?10, ?10, ?11)
                """,
            arguments: [
                source.id, name, kind.name, Data(JSON.object(try kind.checked(settings)).encoded()),
                Data(kind.takesSecret ? change.secret ?? [] : secret), now, change.isEnabled ?? true, now, now,
                change.fromStart == true ? 0 : last, text(change.categories ?? []),
            ])
    }

    private static func update(
        _ db: Database, _ old: Destination, _ change: DestinationChange, _ now: Int64
    ) throws {
        guard change.fromStart == nil else {
            throw Refusal.invalid("from counts only when a destination is made; it is there already")
        }
        guard change.kind == nil || change.kind == old.kind else {
            throw Refusal(.conflict, "the destination is of the kind \(old.kind.name); remove it first")
        }
        guard change.revision == nil || change.revision == old.revision else {
            throw Refusal(.conflict, "the destination was changed meanwhile; try again")
        }
        try checkSecret(change, old.kind)
        let settings = try change.settings.map { try old.kind.checked($0) } ?? old.settings
        guard old.split == nil || settings == old.settings else {
            throw Refusal(
                .conflict,
                "other settings are being rolled out; go back or let the roll-out end, and change the settings then")
        }
        try db.execute(
            sql: """
                UPDATE destination SET settings = ?, isEnabled = ?, categories = ?, updatedAt = ?, revision = revision + 1
                WHERE id = ?
                """,
            arguments: [
                Data(JSON.object(settings).encoded()), change.isEnabled ?? old.isEnabled,
                text(change.categories ?? old.categories), now, old.id,
            ])
        guard let secret = change.secret else { return }
        try db.execute(
            sql: "UPDATE destination SET secret = ?, secretChangedAt = ? WHERE id = ?",
            arguments: [Data(secret), now, old.id])
    }

    private static func checkSecret(_ change: DestinationChange, _ kind: DestinationKind) throws {
        guard change.secret == nil || kind.takesSecret else {
            throw Refusal.invalid("the server makes the secret of a destination of the kind \(kind.name)")
        }
    }
}
