/// A database that gets events as rows of tables. May be used from any task.
///
/// The layout, the types of columns, how they widen, and which events are loaded together are the same for all databases
/// (`WarehouseTables`, `WarehouseForwarder`). A database says how tables are made and changed, how rows come into them, and
/// how it keeps rows and position together.
protocol Warehouse: Sendable {
    /// Makes schema and table of positions if needed, and reads the position and the tables.
    /// - Parameter local: the position of a destination that is new to this database.
    func open(local: Int64) async throws -> WarehousePosition

    /// Loads events and moves the position. When it fails, the same events can be loaded again: none is then there twice.
    /// - Parameters:
    ///   - events: the texts of events, as a destination gets them.
    ///   - expected: the position that they follow, as `open` or the last load has it.
    ///   - next: the position behind them.
    /// - Returns: false when the position is another one: another server loads, or a user was deleted meanwhile.
    func load(_ events: [[UInt8]], from expected: WarehousePosition, to next: WarehousePosition) async throws -> Bool

    /// Deletes the rows of a user.
    /// - Returns: how many there were.
    func delete(userId: String, anonymousIds: [String]) async throws -> Int

    /// Whether the database can be loaded.
    /// - Returns: what it is, and where the tables come.
    func test() async throws -> String

    /// Ends connections; the next call makes others.
    func close()
}

/// How far a warehouse has come. The warehouse keeps it beside the rows.
struct WarehousePosition: Sendable, Equatable {
    /// Events up to this number are loaded, or were not meant for the warehouse.
    var position: Int64
    /// The last event that was loaded, by which a store is recognised.
    var lastSequence: Int64
    var lastId: String
    /// Grows with each deletion of a user, so that a load notices that its events may be gone.
    var deletions: Int64
}

/// The key of the position of a destination.
struct WarehouseKey: Sendable, Equatable {
    let source: String
    let destination: String
    /// When the destination was made: one of the same name may have been removed before.
    let madeAt: Int64
}

/// An error of a database, or of the connection to it.
protocol WarehouseError: Error {
    init(_ message: String)
    var meaning: WarehouseErrorMeaning { get }
    /// The text for operators.
    var text: String { get }
}

/// The meaning of an error of a database for a load.
enum WarehouseErrorMeaning: Sendable, Equatable {
    /// An event has a value that no column takes. Others may be loaded.
    case refusesRows
    /// A row with that key is there.
    case hasRow
    /// Tables are not as they were.
    case changedTables
    /// A view or a rule needs the column as it is.
    case fixedColumn
    /// Anything else: an operator has to do something, or it ends by itself.
    case unavailable
}
