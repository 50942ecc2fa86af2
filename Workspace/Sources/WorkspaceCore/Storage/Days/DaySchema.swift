package import GRDB

/// The tables of one day.
package enum DaySchema {
    /// Kept in `user_version`: an older program recognises a newer file by it.
    package static let version = 4

    /// Makes the tables in a file that has none.
    package static func prepare(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == 0 else { return }
        try db.inTransaction {
            for statement in [
                events, traces, rejected, signals, sources, erasures, mentions, revisions, catalog,
            ] {
                try db.execute(sql: statement)
            }
            try db.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }

    /// Notes that the day has rows of a source.
    package static func name(_ source: Int64, _ writeKey: String, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO source (id, writeKey) VALUES (?, ?)
                ON CONFLICT (id) DO UPDATE SET writeKey = excluded.writeKey
                    WHERE writeKey = '' AND excluded.writeKey != ''
                """)
        try statement.execute(arguments: [source, writeKey])
    }

    /// These tables take `sequence` from one counter, so that one number says how far a listener has come.
    static let streamTables = ["event", "trace", "signal"]
    package static let tables = streamTables + ["rejected"]

    /// The sources of the rows of a day, so that a day can be read without the database of the workspace. The key is
    /// empty until the workspace has said it.
    private static let sources = """
        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            writeKey TEXT NOT NULL
        ) STRICT;
        """

    /// Notes how many rows of a source were erased with their users, in the transaction that deletes them: their messages stay
    /// known, and are not missing.
    package static func noteErased(_ count: Int, of source: Int64, _ db: Database) throws {
        let sql = """
            INSERT INTO erasure (source, count) VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET count = count + excluded.count
            """
        try db.execute(sql: sql, arguments: [source, count])
    }

    /// How many rows of the day were erased with their users.
    package static func erased(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT sum(count) FROM erasure") ?? 0
    }

    /// Notes that the day is written to, in the transaction that does so.
    package static func revise(_ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE revision SET value = randomblob(8)").execute()
    }

    /// A text that changes with each transaction that writes to the day.
    package static func revision(_ db: Database) throws -> String {
        try String.fetchOne(db, sql: "SELECT hex(value) FROM revision") ?? ""
    }

    /// Tells whether a day was written to since it was copied; the times of its files change when it is only opened.
    private static let revisions = """
        CREATE TABLE revision (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            value BLOB NOT NULL
        ) STRICT;
        INSERT INTO revision VALUES (1, randomblob(8));
        """

    private static let erasures = """
        CREATE TABLE erasure (
            source INTEGER PRIMARY KEY,
            count INTEGER NOT NULL
        ) STRICT;
        """

    /// Rows of which the indexes have a part of their own: values that come in no order touch only the pages of the newest
    /// part, so a row costs the same in a large day as in a small one. Who looks for a value looks into each part.
    static let rowsOfIndexPart: Int64 = 1 << indexPartBits
    static let indexPartBits: Int64 = 13
    static let indexPart = "(event.sequence >> 13)"

    /// The unique index makes a block that is written once more change nothing: its rows arrived when they arrived before.
    /// It begins with that time, so that it grows at its end. Repeats by clients are found in the index of message ids.
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
            UNIQUE (receivedAt, messageId, source)
        ) STRICT;
        CREATE INDEX event_type ON event(sequence >> 13, type);
        CREATE INDEX event_name ON event(sequence >> 13, name) WHERE name IS NOT NULL;
        CREATE INDEX event_userId ON event(sequence >> 13, userId) WHERE userId IS NOT NULL;
        CREATE INDEX event_anonymousId ON event(sequence >> 13, anonymousId) WHERE anonymousId IS NOT NULL;
        """

    /// A trace lies in the day of its event, when that is known; `storedAt` is when the event was stored.
    private static let traces = """
        CREATE TABLE trace (
            sequence INTEGER PRIMARY KEY,
            source INTEGER NOT NULL,
            messageId TEXT NOT NULL,
            dropped INTEGER NOT NULL,
            trackedAt INTEGER NOT NULL,
            receivedAt INTEGER NOT NULL,
            body BLOB NOT NULL,
            storedAt INTEGER,
            UNIQUE (messageId, source)
        ) STRICT;
        CREATE INDEX trace_dropped ON trace(sequence, source) WHERE dropped = 1;
        """

    /// `identity` is the message id, or the place in the journal of an event without a usable message id.
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
        CREATE INDEX signal_anonymousId ON signal(sequence >> 13, anonymousId) WHERE anonymousId IS NOT NULL;
        """

    /// The users that bodies name besides the user id of an event, so that an erasure need not read all bodies. `kind` is
    /// that of `RowIdentity`, `part` that of the indexes. A body that is no JSON is under the empty id.
    private static let mentions = """
        CREATE TABLE mention (
            part INTEGER NOT NULL,
            userId TEXT NOT NULL,
            kind INTEGER NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (part, userId, kind, number)
        ) STRICT, WITHOUT ROWID;
        """

    /// The tables of `catalog`.
    static let catalogTables = ["catalogSource", "catalogName", "catalogHour", "catalogKey"]

    /// How many events came by source, type, name and hour (hours since 1970), and how often their properties had values of
    /// each type. Rows with `isOther` are those of all names, or of all keys of a name, that are not counted apart.
    ///
    /// `names` and `taken` say how many names and keys were ever counted apart; `DayCatalog` says what for.
    private static let catalog = """
        CREATE TABLE catalogSource (
            source INTEGER PRIMARY KEY,
            names INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE catalogName (
            id INTEGER PRIMARY KEY,
            source INTEGER NOT NULL,
            type TEXT NOT NULL,
            isOther INTEGER NOT NULL,
            name BLOB NOT NULL,
            taken INTEGER NOT NULL,
            UNIQUE (source, type, isOther, name)
        ) STRICT;
        CREATE TABLE catalogHour (
            nameId INTEGER NOT NULL,
            hour INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (nameId, hour)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE catalogKey (
            nameId INTEGER NOT NULL,
            isOther INTEGER NOT NULL,
            key BLOB NOT NULL,
            strings INTEGER NOT NULL,
            numbers INTEGER NOT NULL,
            booleans INTEGER NOT NULL,
            objects INTEGER NOT NULL,
            arrays INTEGER NOT NULL,
            nulls INTEGER NOT NULL,
            PRIMARY KEY (nameId, isOther, key)
        ) STRICT, WITHOUT ROWID;
        """

    /// The table of the rows of a kind.
    package static func table(of kind: RowIdentity.Kind) -> String {
        switch kind {
        case .event: "event"
        case .trace: "trace"
        case .signal: "signal"
        case .rejected: "rejected"
        }
    }
}
