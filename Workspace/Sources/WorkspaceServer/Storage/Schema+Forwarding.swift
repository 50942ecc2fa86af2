import GRDB

extension Schema {
    /// Where events are forwarded to, and which of them wait there.
    ///
    /// `position` is the number of the newest event up to which everything is dealt with: delivered, left out, or in
    /// `undelivered`, which holds no event, only what it takes to find it. `lane` is a digest of whose event it is.
    static func addForwarding(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE destination (
                    id INTEGER PRIMARY KEY,
                    source INTEGER NOT NULL REFERENCES source(id),
                    name TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    settings BLOB NOT NULL,
                    secret BLOB NOT NULL,
                    previousSecret BLOB,
                    secretChangedAt INTEGER NOT NULL,
                    isEnabled INTEGER NOT NULL,
                    createdAt INTEGER NOT NULL,
                    updatedAt INTEGER NOT NULL,
                    revision INTEGER NOT NULL,
                    position INTEGER NOT NULL,
                    delivered INTEGER NOT NULL DEFAULT 0,
                    skipped INTEGER NOT NULL DEFAULT 0,
                    lastDeliveredAt INTEGER,
                    UNIQUE (source, name)
                ) STRICT;
                CREATE TABLE undelivered (
                    destination INTEGER NOT NULL REFERENCES destination(id) ON DELETE CASCADE,
                    sequence INTEGER NOT NULL,
                    messageId TEXT NOT NULL,
                    lane BLOB NOT NULL,
                    attempts INTEGER NOT NULL,
                    since INTEGER,
                    dueAt INTEGER NOT NULL,
                    reason TEXT,
                    deadAt INTEGER,
                    PRIMARY KEY (destination, sequence)
                ) STRICT, WITHOUT ROWID;
                """)
    }
}
