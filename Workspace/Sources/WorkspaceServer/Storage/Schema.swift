import GRDB

/// The tables of a workspace and how older ones become today's.
enum Schema {
    /// Number of the newest migration, kept in `user_version`: an older program recognises a newer folder by it.
    static let version = 10

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            for statement in [sources, bundles, events, traces, rejected, counters] { try db.execute(sql: statement) }
        }
        migrator.registerMigration("2") { db in try db.execute(sql: "ALTER TABLE bundle ADD COLUMN signature TEXT") }
        migrator.registerMigration("3") { db in try db.execute(sql: indexed) }
        migrator.registerMigration("4") { db in try db.execute(sql: administrator) }
        migrator.registerMigration("5") { db in try db.execute(sql: audit) }
        migrator.registerMigration("6") { db in try db.execute(sql: signals) }
        migrator.registerMigration("7", migrate: addOperation)
        // Events, traces, signals and dead letters have files of their own since; `EventMove` takes them there.
        migrator.registerMigration("8") { db in try db.execute(sql: index) }
        migrator.registerMigration("9", migrate: addForwarding)
        migrator.registerMigration("10") { db in try db.execute(sql: acknowledged) }
        return migrator
    }

    /// `id` is a number that is made by chance and never given twice (`WorkspaceEnvironment.makeSourceId`), because rows of days and requests of the
    /// journal name their source by it. Sources of folders before version 10 have small numbers, which nobody gets again.
    ///
    /// `revision` grows with every change, so that whoever holds a source in memory knows which one is newer.
    private static let sources = """
        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            writeKey TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            updatedAt INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            integrations BLOB NOT NULL,
            filters BLOB NOT NULL
        ) STRICT;
        """

    private static let bundles = """
        CREATE TABLE bundle (
            source INTEGER NOT NULL REFERENCES source(id),
            version INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            deployedAt INTEGER NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (source, version)
        ) STRICT;
        """

    /// Events, traces and signals draw `sequence` from one counter, so that one number says how far a listener has come.
    /// The unique index begins with the message id because that alone finds an event, too.
    private static let events = """
        CREATE TABLE event (
            sequence INTEGER PRIMARY KEY,
            source INTEGER NOT NULL REFERENCES source(id),
            messageId TEXT NOT NULL,
            type TEXT NOT NULL,
            name TEXT,
            userId TEXT,
            anonymousId TEXT,
            timestamp INTEGER NOT NULL,
            originalTimestamp INTEGER,
            sentAt INTEGER,
            receivedAt INTEGER NOT NULL,
            storedAt INTEGER NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (messageId, source)
        ) STRICT;
        CREATE INDEX event_name ON event(name) WHERE name IS NOT NULL;
        CREATE INDEX event_userId ON event(userId) WHERE userId IS NOT NULL;
        """

    private static let traces = """
        CREATE TABLE trace (
            sequence INTEGER PRIMARY KEY,
            source INTEGER NOT NULL REFERENCES source(id),
            messageId TEXT NOT NULL,
            dropped INTEGER NOT NULL,
            trackedAt INTEGER NOT NULL,
            receivedAt INTEGER NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (messageId, source)
        ) STRICT;
        CREATE INDEX trace_dropped ON trace(sequence, source) WHERE dropped = 1;
        """

    /// A client that repeats a batch repeats its bad events too; those that can be told apart are kept once.
    private static let rejected = """
        CREATE TABLE rejected (
            sequence INTEGER PRIMARY KEY,
            source INTEGER NOT NULL REFERENCES source(id),
            messageId TEXT,
            code TEXT NOT NULL,
            reason TEXT NOT NULL,
            receivedAt INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX rejected_messageId ON rejected(messageId, source) WHERE messageId IS NOT NULL;
        """

    /// How far the journal was indexed; the one row is written together with what came out of it.
    private static let indexed = """
        CREATE TABLE indexed (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            epoch INTEGER NOT NULL,
            sequence INTEGER NOT NULL
        ) STRICT;
        """

    /// The last request that was acknowledged when the place was written: a journal that ends before it has lost some.
    private static let acknowledged = "ALTER TABLE indexed ADD COLUMN acknowledged INTEGER NOT NULL DEFAULT 0"

    /// Only digests, of the token and of the secrets of logins.
    private static let administrator = """
        CREATE TABLE administrator (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            token BLOB NOT NULL,
            changedAt INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE login (
            secret BLOB PRIMARY KEY,
            usedAt INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Apart from events: there are many times as many, and nobody keeps them as long.
    private static let signals = """
        CREATE TABLE signal (
            sequence INTEGER PRIMARY KEY,
            source INTEGER NOT NULL REFERENCES source(id),
            messageId TEXT NOT NULL,
            type TEXT NOT NULL,
            anonymousId TEXT,
            number INTEGER,
            timestamp INTEGER NOT NULL,
            receivedAt INTEGER NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (messageId, source)
        ) STRICT;
        """

    /// The messages that are there already, over all days: what a repeat is found by. `key` is a digest, see `MessageKey`.
    ///
    /// `position` says which numbers were given to rows; its one row, what is seen, counted and indexed are written in
    /// one transaction, after the rows themselves. `sweep` says how far old days were given up.
    private static let index = """
        CREATE TABLE seen (
            key BLOB NOT NULL,
            source INTEGER NOT NULL,
            day INTEGER NOT NULL,
            PRIMARY KEY (key, source)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE position (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            stream INTEGER NOT NULL,
            rejected INTEGER NOT NULL
        ) STRICT;
        INSERT INTO position VALUES (1, 0, 0);
        CREATE TABLE sweep (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            today INTEGER NOT NULL,
            pruned INTEGER NOT NULL
        ) STRICT;
        """

    private static let audit = """
        CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            administrator TEXT NOT NULL,
            action TEXT NOT NULL,
            writeKey TEXT,
            details BLOB NOT NULL
        ) STRICT;
        """

    private static let counters = """
        CREATE TABLE counter (
            source INTEGER NOT NULL REFERENCES source(id),
            name TEXT NOT NULL,
            value INTEGER NOT NULL,
            PRIMARY KEY (source, name)
        ) STRICT, WITHOUT ROWID;
        """
}
