import WorkspaceCore

extension Limits {
    /// Bytes of a name. PostgreSQL has no longer ones.
    static let warehouseNameBytes = 63
    /// Columns of a table. PostgreSQL keeps a row on a page of 8 KB, where a long text takes 18 bytes; so a row of this
    /// many texts fits, whatever their lengths.
    static let warehouseColumns = 400
    /// Tables for names of events. Events with further names are only in `tracks`, with their properties.
    static let warehouseEventTables = 1_000
    /// How deep objects become columns of their own. An object below is the text of its JSON.
    static let warehouseDepth = 5
    /// Bytes of an id that is the key of a row. A longer one is replaced by its digest, since an index refuses it.
    static let warehouseKeyBytes = 512
    /// Clean forms of names that are remembered.
    static let warehouseNames = 20_000
    /// Rows of the list of events that are loaded together, and their bytes.
    static let warehouseRows = 5_000
    static let warehouseBytes = 8 << 20
    /// Time between two looks for new events, and between two looks whether a blocking call has to end.
    static let warehousePause = Duration.seconds(1)
    static let warehouseSliceMilliseconds: Int32 = 100
    /// Seconds until a connection is made.
    static let warehouseConnectSeconds: Int64 = 15
    /// Bytes of a statement that asks for rows by their ids, parts of such a statement, and bytes of an answer.
    static let warehouseStatement = 64 << 20
    static let warehouseQuestions = 50
    static let warehouseAnswer = 64 << 20
    /// Bytes of a value or a row in tables that are in memory.
    static let warehouseValue = 4 << 20
    /// Characters of an error of the database that are shown.
    static let warehouseError = 500
}
