import GRDB

/// The tables of one day.
enum DaySchema {
    /// Kept in `user_version`: an older program recognises a newer file by it.
    static let version = 2

    /// Makes the tables in a file that has none.
    static func prepare(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == 0 else { return }
        try db.inTransaction {
            for statement in [events, traces, rejected, signals, sources, erasures] { try db.execute(sql: statement) }
            try db.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }

    /// Notes that the day has rows of a source.
    static func name(_ source: Int64, _ writeKey: String, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO source (id, writeKey) VALUES (?, ?)
                ON CONFLICT (id) DO UPDATE SET writeKey = excluded.writeKey
                    WHERE writeKey = '' AND excluded.writeKey != ''
                """)
        try statement.execute(arguments: [source, writeKey])
    }

    /// Tables whose rows draw `sequence` from one counter, so that one number says how far a listener has come.
    static let streamTables = ["event", "trace", "signal"]
    static let tables = streamTables + ["rejected"]

    /// Whose rows a day has, so that a day says it without the database of the workspace. The key is empty until the
    /// workspace has said it.
    private static let sources = """
        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            writeKey TEXT NOT NULL
        ) STRICT;
        """

    /// Notes how many rows of a source were erased with their users, in the transaction that deletes them: their messages stay
    /// known, and are not missing. A day that an earlier program made gets the table with its first erasure.
    static func noteErased(_ count: Int, of source: Int64, _ db: Database) throws {
        try db.execute(sql: erasures)
        let sql = """
            INSERT INTO erasure (source, count) VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET count = count + excluded.count
            """
        try db.execute(sql: sql, arguments: [source, count])
    }

    /// How many rows of the day were erased with their users.
    static func erased(_ db: Database) throws -> Int {
        guard try db.tableExists("erasure") else { return 0 }
        return try Int.fetchOne(db, sql: "SELECT sum(count) FROM erasure") ?? 0
    }

    private static let erasures = """
        CREATE TABLE IF NOT EXISTS erasure (
            source INTEGER PRIMARY KEY,
            count INTEGER NOT NULL
        ) STRICT;
        """

    /// The unique index begins with the message id because that alone finds an event, too. It is what makes a block that
    /// is written once more change nothing; repeats over many days are found before, in the index of message ids.
    private static let events = """
        CREATE TABLE event (
            sequence INTEGER PRIMARY KEY,
            source INTEGER NOT NULL,
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

    /// A trace lies in the day of its event, when that is known.
    private static let traces = """
        CREATE TABLE trace (
            sequence INTEGER PRIMARY KEY,
            source INTEGER NOT NULL,
            messageId TEXT NOT NULL,
            dropped INTEGER NOT NULL,
            trackedAt INTEGER NOT NULL,
            receivedAt INTEGER NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (messageId, source)
        ) STRICT;
        CREATE INDEX trace_dropped ON trace(sequence, source) WHERE dropped = 1;
        """

    /// `identity` is the message id, or the place in the journal of an event whose message id is not usable.
    private static let rejected = """
        CREATE TABLE rejected (
            sequence INTEGER PRIMARY KEY,
            source INTEGER NOT NULL,
            identity TEXT NOT NULL,
            messageId TEXT,
            code TEXT NOT NULL,
            reason TEXT NOT NULL,
            receivedAt INTEGER NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (identity, source)
        ) STRICT;
        """

    private static let signals = """
        CREATE TABLE signal (
            sequence INTEGER PRIMARY KEY,
            source INTEGER NOT NULL,
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
}
