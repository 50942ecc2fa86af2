import GRDB

extension Schema {
    /// What operators decide about a source besides its settings, its keys, and how many devices a version is for.
    ///
    /// The key that a source was made with stays its name in the administration, also when it is revoked.
    static func addOperation(_ db: Database) throws {
        // '{}' as bytes: the column holds JSON text like its neighbours.
        try db.execute(sql: "ALTER TABLE source ADD COLUMN policy BLOB NOT NULL DEFAULT x'7b7d'")
        try db.execute(
            sql: """
                CREATE TABLE sourceKey (
                    key TEXT PRIMARY KEY,
                    source INTEGER NOT NULL REFERENCES source(id),
                    name TEXT NOT NULL,
                    createdAt INTEGER NOT NULL,
                    revokedAt INTEGER
                ) STRICT, WITHOUT ROWID
                """)
        try db.execute(
            sql: """
                INSERT INTO sourceKey (key, source, name, createdAt) SELECT writeKey, id, 'first', createdAt FROM source
                """)
        try db.execute(sql: "ALTER TABLE bundle ADD COLUMN percentage INTEGER NOT NULL DEFAULT 100")
    }
}
