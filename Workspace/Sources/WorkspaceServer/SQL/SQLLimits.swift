import WorkspaceCore

extension Limits {
    /// Queries in SQL that run at a time. A person has one at most.
    static let sqlQueries = 2
    /// Bytes of a query.
    static let sqlText = 64 << 10
    /// Events that a query reads at most, and in one page; the newest ones by which tables are listed without a query.
    static let sqlEvents = 500_000
    static let sqlPage = 1_000
    static let sqlListedEvents = 2_000
    /// Bytes of events in one message to the process.
    static let sqlMessage = 4 << 20
    /// Rows of an answer unless the client wants fewer, and about how many bytes they have together.
    static let sqlRows = 10_000
    static let sqlAnswer = 8 << 20
    /// How long the process may take to start, to put a message of events into tables, and to answer the query.
    static let sqlStart = Duration.seconds(15)
    static let sqlLoad = Duration.seconds(60)
    package static let sqlTime = Duration.seconds(60)
    /// Bytes of memory of the process beyond what it has at its start, and those of them that its tables may have.
    package static let sqlMemory: UInt64 = 512 << 20
    package static let sqlTables = 320 << 20
}
