import GRDB

/// The tables of a workspace besides those of its days.
package enum Schema {
    /// The tables as they are now, and as earlier versions made them.
    ///
    /// Nodes of a cluster are replaced one by one, so a newer version applies what an older one changed. A step that changes
    /// a shared table (`SettingsTables`) only adds columns at its end, each with a constant default, or indexes that are not
    /// unique. It changes no row. `SchemaHistoryTests` has the tables of each version, and checks that.
    package static let history = SchemaHistory(
        oldest: 15,
        tables: [
            sources, bundles, filters, counters, indexed, administrator, audit, index, forwarding, health, rollouts,
            replication,
        ],
        steps: [
            healthLog, days, consent, suppression, retention, replays, scripts, sourceFunctions, alerts, views,
            functionVersions, functionRollouts, sights, boardLinks,
            appVersions, deviceStops,
        ])

    /// Kept in `user_version`. It grows with every change of the tables, so that each program recognises what it can read.
    package static let version = history.version

    /// `id` is a number that is made by chance and never given twice (`WorkspaceEnvironment.makeSourceId`), because
    /// rows of days and requests of the journal name their source by it. `revision` grows with every change, so that
    /// code with a source in memory knows which one is newer. `policy` and `plan` are JSON texts like their neighbours,
    /// `{}` at first.
    ///
    /// The key that a source was made with stays its name in the administration, also when it is revoked.
    private static let sources = """
        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            writeKey TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            updatedAt INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            integrations BLOB NOT NULL,
            policy BLOB NOT NULL DEFAULT x'7b7d',
            plan BLOB NOT NULL DEFAULT x'7b7d'
        ) STRICT;
        CREATE TABLE sourceKey (
            key TEXT PRIMARY KEY,
            source INTEGER NOT NULL REFERENCES source(id),
            name TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            revokedAt INTEGER
        ) STRICT, WITHOUT ROWID;
        """

    private static let bundles = """
        CREATE TABLE bundle (
            source INTEGER NOT NULL REFERENCES source(id),
            version INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            deployedAt INTEGER NOT NULL,
            body BLOB NOT NULL,
            signature TEXT,
            percentage INTEGER NOT NULL DEFAULT 100,
            PRIMARY KEY (source, version)
        ) STRICT;
        """

    /// The versions of the filter rules; `body` is their JSON.
    private static let filters = """
        CREATE TABLE filterSet (
            source INTEGER NOT NULL REFERENCES source(id),
            version INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            count INTEGER NOT NULL,
            deployedAt INTEGER NOT NULL,
            body BLOB NOT NULL,
            percentage INTEGER NOT NULL DEFAULT 100,
            PRIMARY KEY (source, version)
        ) STRICT, WITHOUT ROWID;
        """

    private static let counters = """
        CREATE TABLE counter (
            source INTEGER NOT NULL REFERENCES source(id),
            name TEXT NOT NULL,
            value INTEGER NOT NULL,
            PRIMARY KEY (source, name)
        ) STRICT, WITHOUT ROWID;
        """

    /// How far the journal was indexed; the one row is written together with the results of indexing. `acknowledged` is
    /// the last request that was acknowledged when the place was written: a journal that ends before it has lost some.
    private static let indexed = """
        CREATE TABLE indexed (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            epoch INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            acknowledged INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        """

    /// Only digests, of tokens and of the secrets of logins. The name in `login` is that of the token which the login was
    /// made with; null is the admin token.
    private static let administrator = """
        CREATE TABLE administrator (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            token BLOB NOT NULL,
            changedAt INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE namedToken (
            name TEXT PRIMARY KEY,
            role TEXT NOT NULL,
            digest BLOB NOT NULL UNIQUE,
            createdAt INTEGER NOT NULL,
            usedAt INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE login (
            secret BLOB PRIMARY KEY,
            usedAt INTEGER NOT NULL,
            token TEXT REFERENCES namedToken(name) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        """

    private static let audit = """
        CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            administrator TEXT NOT NULL,
            token TEXT,
            action TEXT NOT NULL,
            writeKey TEXT,
            details BLOB NOT NULL
        ) STRICT;
        """

    /// The messages that are there already, over all days: what a repeat is found by. See `MessageIndex`.
    ///
    /// `recentMessages` has the newest, many in a row: `entries` are those of `MessageEntry`. `messageFile` names the files
    /// that have the others; their day is a text, so that a damaged database cannot take them for rows of `position`.
    /// Entries of a source in files up to `through` do not count.
    ///
    /// `position` says which numbers were given to rows; its one row, the newest messages, counters and `indexed` are
    /// written in one transaction, after the rows themselves. `sweep` says how far old days were given up.
    private static let index = """
        CREATE TABLE recentMessages (
            id INTEGER PRIMARY KEY,
            day INTEGER NOT NULL,
            source INTEGER NOT NULL,
            entries BLOB NOT NULL
        ) STRICT;
        CREATE TABLE messageFile (
            number INTEGER PRIMARY KEY,
            day TEXT NOT NULL,
            count INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE forgottenMessages (
            source INTEGER PRIMARY KEY,
            through INTEGER NOT NULL
        ) STRICT;
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

    /// Where events are forwarded to, and which of them wait there.
    ///
    /// `position` is the number of the newest event up to which everything is dealt with: delivered, left out, or in
    /// `undelivered`, which holds no event, only what it takes to find it. `lane` is a digest of the event's user.
    private static let forwarding = """
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
        """

    /// The sums of the devices' reports about live plugins, filters and delivery: `version` is a number or `other`, for
    /// filters with `filters` before it, or empty for delivery; `body` is that of `HealthSums`. `healthDevice` says
    /// which reports were counted; `device` is a digest with the secret `healthKey`. The columns differ from those of
    /// other tables in their kinds, by which rows of a damaged database are recognised.
    private static let health = """
        CREATE TABLE healthHour (
            source INTEGER NOT NULL REFERENCES source(id),
            hour INTEGER NOT NULL,
            version TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (source, hour, version)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE healthDevice (
            source INTEGER NOT NULL REFERENCES source(id),
            device BLOB NOT NULL,
            number INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (source, device)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE healthKey (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            value BLOB NOT NULL
        ) STRICT;
        INSERT INTO healthKey VALUES (1, randomblob(32));
        """

    /// The newest roll-out with a plan of each source and kind; `body` is that of `RolloutRecord`. `rolloutDevice` holds the samples
    /// by which an open one is decided: of its `version`, and of the version `before`. `notice` holds messages to operators
    /// that were not delivered yet.
    private static let rollouts = """
        CREATE TABLE rollout (
            source INTEGER NOT NULL REFERENCES source(id),
            kind TEXT NOT NULL,
            version INTEGER NOT NULL,
            state TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (source, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE rolloutDevice (
            source INTEGER NOT NULL REFERENCES source(id),
            kind TEXT NOT NULL,
            sample TEXT NOT NULL,
            device BLOB NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (source, kind, sample, device)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE notice (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT;
        """

    /// How far a node of a cluster has applied the changes of the settings, written together with each change. It has no row
    /// on a machine of its own.
    private static let replication = """
        CREATE TABLE appliedChange (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            place INTEGER NOT NULL,
            incarnation TEXT NOT NULL
        ) STRICT;
        """

    /// How far a node of a cluster has counted the health reports, written together with the sums. It has no row on a machine
    /// of its own.
    private static let healthLog = """
        CREATE TABLE healthLog (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            since INTEGER,
            incarnation TEXT NOT NULL,
            place INTEGER NOT NULL
        ) STRICT;
        """

    /// The days that the workspace has made: `DayRecords`. The order of the columns differs from that of `messageFile`,
    /// so that rows of a damaged database can be distinguished.
    private static let days = """
        CREATE TABLE day (
            number INTEGER PRIMARY KEY,
            lostMessages INTEGER NOT NULL DEFAULT 0,
            state TEXT NOT NULL
        ) STRICT;
        """

    /// The consent categories that a destination needs, as a JSON list; and how many events it did not get because of consent.
    /// Events that are held are between the two numbers, among others; 0 while none is held.
    private static let consent = """
        ALTER TABLE destination ADD COLUMN categories TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE destination ADD COLUMN withheld INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE destination ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE destination ADD COLUMN heldFrom INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE destination ADD COLUMN heldThrough INTEGER NOT NULL DEFAULT 0;
        """

    /// Users and devices of which nothing is stored, or nothing of the time before they were erased, by digests with
    /// the secret `healthKey`; `person` is the user of the device at the erasure. `deletionRequest` has the requests to
    /// destinations to delete a user: `body` names the user, and is deleted when the request is over. `beginsAfter` is
    /// the position that a destination began with; -1 where no one noted it.
    private static let suppression = """
        CREATE TABLE suppression (
            digest BLOB PRIMARY KEY,
            kind TEXT NOT NULL,
            person BLOB NOT NULL,
            isSuppressed INTEGER NOT NULL,
            erasedThrough INTEGER NOT NULL,
            reason TEXT NOT NULL,
            administrator TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX suppressionPerson ON suppression (person);
        CREATE TABLE deletionRequest (
            id INTEGER PRIMARY KEY,
            destination INTEGER NOT NULL REFERENCES destination(id) ON DELETE CASCADE,
            person BLOB NOT NULL,
            body BLOB,
            at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            dueAt INTEGER NOT NULL,
            endedAt INTEGER,
            isAccepted INTEGER NOT NULL DEFAULT 0,
            answer TEXT
        ) STRICT;
        ALTER TABLE destination ADD COLUMN beginsAfter INTEGER NOT NULL DEFAULT -1;
        """

    /// By which retention days are deleted, and a shorter one that waits: `body` is that of `RetentionState`. The row is a text,
    /// as that of no other table, so that rows of a damaged database can be distinguished.
    private static let retention = """
        CREATE TABLE retention (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            body TEXT NOT NULL
        ) STRICT;
        """

    /// The replay of a destination: which stored events go to it once more, and how far that has come.
    private static let replays = """
        CREATE TABLE replay (
            destination INTEGER PRIMARY KEY REFERENCES destination(id) ON DELETE CASCADE,
            query TEXT NOT NULL,
            state TEXT NOT NULL,
            administrator TEXT NOT NULL,
            position INTEGER NOT NULL,
            through INTEGER NOT NULL,
            rate INTEGER NOT NULL,
            handedOver INTEGER NOT NULL DEFAULT 0,
            leftOut INTEGER NOT NULL DEFAULT 0,
            startedAt INTEGER NOT NULL,
            endedAt INTEGER
        ) STRICT;
        """

    /// Where a version of the live plugins runs, and which requests behind the place in the journal wait for
    /// scripts, while those of other sources are stored: `ScriptBacklog`, or an empty text for none.
    private static let scripts = """
        ALTER TABLE bundle ADD COLUMN place TEXT NOT NULL DEFAULT 'device';
        ALTER TABLE indexed ADD COLUMN scripts TEXT NOT NULL DEFAULT '';
        """

    /// The function that makes events of requests of other services: `SourceFunction`, or an empty text for none.
    private static let sourceFunctions = """
        ALTER TABLE source ADD COLUMN function TEXT NOT NULL DEFAULT '';
        """

    /// The alert rules: `body` is that of `AlertRule`, with the address of its webhook, and `state` that of `AlertState`.
    private static let alerts = """
        CREATE TABLE alertRule (
            name TEXT PRIMARY KEY,
            body BLOB NOT NULL,
            state BLOB NOT NULL,
            updatedAt INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The saved questions. `query` is that of `ViewQuery`, `board` the place on the board, from 1, and `owner` the name of the
    /// token that saved it first.
    private static let views = """
        CREATE TABLE savedView (
            name TEXT PRIMARY KEY,
            place TEXT NOT NULL,
            query TEXT NOT NULL,
            board INTEGER,
            owner TEXT,
            createdAt INTEGER NOT NULL,
            updatedAt INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The code and the settings of functions, as they were stored one after the other: `FunctionVersion`. `destination` is 0
    /// for the source function. The order of the columns is that of no other table, so that rows of a damaged database can
    /// be distinguished.
    private static let functionVersions = """
        CREATE TABLE functionVersion (
            source INTEGER NOT NULL REFERENCES source(id),
            destination INTEGER NOT NULL,
            version INTEGER NOT NULL,
            administrator TEXT NOT NULL,
            storedAt INTEGER NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (source, destination, version)
        ) STRICT;
        """

    /// The newest roll-out of a destination function: `FunctionRollout`, or an empty text for none, and `FunctionTries`.
    /// `settingsBefore` is apart, because it is large, and the roll-out is written again and again.
    private static let functionRollouts = """
        ALTER TABLE destination ADD COLUMN rollout TEXT NOT NULL DEFAULT '';
        ALTER TABLE destination ADD COLUMN settingsBefore TEXT NOT NULL DEFAULT '';
        ALTER TABLE destination ADD COLUMN newAccepted INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE destination ADD COLUMN newRefused INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE destination ADD COLUMN beforeAccepted INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE destination ADD COLUMN beforeRefused INTEGER NOT NULL DEFAULT 0;
        """

    /// The limits of a token: `sources` is a list of their numbers, null for all. `personLogin` has the logins of
    /// people that a provider knows: `PersonLogin`. They are no rows of `login`, in which one without a token is that of the
    /// admin token.
    private static let sights = """
        ALTER TABLE namedToken ADD COLUMN sources TEXT;
        ALTER TABLE namedToken ADD COLUMN personalData TEXT NOT NULL DEFAULT 'shown';
        ALTER TABLE namedToken ADD COLUMN endsAt INTEGER;
        CREATE TABLE personLogin (
            secret BLOB PRIMARY KEY,
            usedAt INTEGER NOT NULL,
            endsAt INTEGER NOT NULL,
            person BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The links that show the board: `BoardLink`. The digest comes first, unlike in `namedToken`, so that rows of a damaged
    /// database can be distinguished.
    private static let boardLinks = """
        CREATE TABLE boardLink (
            digest BLOB PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            createdAt INTEGER NOT NULL,
            endsAt INTEGER,
            usedAt INTEGER
        ) STRICT, WITHOUT ROWID;
        """

    /// The versions of an app that its devices reported: `body` is that of `ReportedApp`, `at` the time of the first report.
    /// `app` of a device is the number of its version, 0 when it said nothing, -1 when its version is not kept. The order of
    /// the columns is that of no other table, so that rows of a damaged database can be distinguished.
    private static let appVersions = """
        ALTER TABLE healthDevice ADD COLUMN app INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE appVersion (
            source INTEGER NOT NULL REFERENCES source(id),
            number INTEGER NOT NULL,
            body BLOB NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (source, number)
        ) STRICT, WITHOUT ROWID;
        """

    /// What is stopped on devices: `DeviceStops`, or an empty text for nothing. Of a device, the number of the newest stop that it
    /// has heard of, -1 when its client does not say it, and the seconds between two of its looks at the settings.
    private static let deviceStops = """
        ALTER TABLE source ADD COLUMN stops TEXT NOT NULL DEFAULT '';
        ALTER TABLE healthDevice ADD COLUMN stop INTEGER NOT NULL DEFAULT -1;
        ALTER TABLE healthDevice ADD COLUMN "interval" INTEGER NOT NULL DEFAULT 0;
        """
}
