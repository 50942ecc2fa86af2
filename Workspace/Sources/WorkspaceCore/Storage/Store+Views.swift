import GRDB
package import TributaryJSON

extension Store {
    /// The saved questions by name.
    package func views() async throws -> [SavedView] {
        try await pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM savedView ORDER BY name").compactMap(Self.view)
        }
    }

    /// - Throws: `Refusal` with 404 when there is no such question.
    package func view(_ name: String) async throws -> SavedView {
        guard let view = try await pool.read({ db in try Self.view(name, db) }) else { throw Self.noView(name) }
        return view
    }

    /// Saves a question, or changes the one of that name.
    /// - Throws: `Refusal` when the question is wrong, its new name is taken, or there are too many.
    package func putView(_ name: String, _ json: JSON, now: Int64) async throws -> (view: SavedView, isNew: Bool) {
        let administrator = Administrator.current
        return try await change { db in
            let old = try Self.view(name, db)
            let change = try ViewChange(name, json)
            let view = try change.applied(to: old, by: administrator.token, now: now)
            try Self.checkRoom(for: view, insteadOf: old, named: name, db)
            if old?.board != nil { try Self.order(name, at: nil, db) }
            try db.execute(sql: "DELETE FROM savedView WHERE name = ?", arguments: [name])
            try db.execute(
                sql: """
                    INSERT INTO savedView (name, place, query, owner, createdAt, updatedAt) VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    view.name, view.place.rawValue, view.query.text, view.owner, view.createdAt, view.updatedAt,
                ])
            try Self.order(view.name, at: view.board, db)
            // A condition may name a person, so the log, which only grows, does not have the query.
            var details: JSONObject = ["view": .string(view.name), "place": .string(view.place.rawValue)]
            if name != view.name { details["before"] = .string(name) }
            try Self.log(db, AuditEntry(action: .viewSaved, details: details), by: administrator, now: now)
            guard let stored = try Self.view(view.name, db) else { throw Self.noView(view.name) }
            return (stored, old == nil)
        }
    }

    /// - Throws: `Refusal` with 404 when there is no such question.
    package func removeView(_ name: String, now: Int64) async throws {
        let administrator = Administrator.current
        try await change { db in
            guard try Self.view(name, db) != nil else { throw Self.noView(name) }
            try Self.order(name, at: nil, db)
            try db.execute(sql: "DELETE FROM savedView WHERE name = ?", arguments: [name])
            let entry = AuditEntry(action: .viewRemoved, details: ["view": .string(name)])
            try Self.log(db, entry, by: administrator, now: now)
        }
    }

    /// Removes the questions that ask for a person who is erased, and names those with an id in another place.
    ///
    /// A question without its condition would be another one, so nothing is left of it. The audit log has no entry of its own for
    /// it, because the name may have the id.
    package func eraseViews(of person: Person) async throws -> Erased {
        let ids = Set([person.userId] + person.anonymousIds.map { String(decoding: $0, as: UTF8.self) })
        return try await change { db in
            var erased = Erased()
            for view in try Row.fetchAll(db, sql: "SELECT * FROM savedView ORDER BY name").compactMap(Self.view) {
                switch view.naming(of: ids) {
                case .asks:
                    try Self.order(view.name, at: nil, db)
                    try db.execute(sql: "DELETE FROM savedView WHERE name = ?", arguments: [view.name])
                    erased.removedViews.append(view.name)
                case .mentions: erased.namingViews.append(view.name)
                case nil: break
                }
            }
            return erased
        }
    }

    private static func checkRoom(
        for view: SavedView, insteadOf old: SavedView?, named name: String, _ db: Database
    ) throws {
        if old == nil, view.name != name { throw noView(name) }
        if view.name != name, try self.view(view.name, db) != nil {
            throw Refusal(.conflict, "there is a saved question \(view.name) already")
        }
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM savedView") ?? 0
        guard old != nil || count < Limits.views else {
            throw Refusal(.conflict, "there are \(Limits.views) saved questions already; remove one first")
        }
        let onBoard = try Int.fetchOne(db, sql: "SELECT count(*) FROM savedView WHERE board IS NOT NULL") ?? 0
        guard view.board == nil || old?.board != nil || onBoard < Limits.boardViews else {
            throw Refusal(.conflict, "the board has \(Limits.boardViews) questions already; take one off first")
        }
    }

    /// Gives a question its place on the board, and numbers all there from 1. A place behind the last one is the last one.
    private static func order(_ name: String, at place: Int?, _ db: Database) throws {
        var names = try String.fetchAll(
            db, sql: "SELECT name FROM savedView WHERE board IS NOT NULL AND name <> ? ORDER BY board, name",
            arguments: [name])
        if let place {
            names.insert(name, at: min(place - 1, names.count))
        } else {
            try db.execute(sql: "UPDATE savedView SET board = NULL WHERE name = ?", arguments: [name])
        }
        for (index, name) in names.enumerated() {
            try db.execute(
                sql: "UPDATE savedView SET board = ? WHERE name = ? AND board IS NOT ?",
                arguments: [index + 1, name, index + 1])
        }
    }

    private static func view(_ name: String, _ db: Database) throws -> SavedView? {
        try Row.fetchOne(db, sql: "SELECT * FROM savedView WHERE name = ?", arguments: [name]).flatMap(view)
    }

    /// Nil for a question of a place that this version does not have, because a later one saved it.
    private static func view(_ row: Row) throws -> SavedView? {
        let query = try row.decode(String.self, forColumn: "query")
        guard let place = SavedView.Place(rawValue: try row.decode(String.self, forColumn: "place")),
            let query = try? ViewQuery(query)
        else { return nil }
        return SavedView(
            name: try row.decode(String.self, forColumn: "name"), place: place, query: query,
            board: try row.decode(Int?.self, forColumn: "board"),
            owner: try row.decode(String?.self, forColumn: "owner"),
            createdAt: try row.decode(Int64.self, forColumn: "createdAt"),
            updatedAt: try row.decode(Int64.self, forColumn: "updatedAt"))
    }

    package static func noView(_ name: String) -> Refusal { .notFound("there is no saved question \(name)") }
}
