/// How far a warehouse has come. It changes in the transaction that loads the rows.
struct PostgresPosition: Sendable, Equatable {
    /// Events up to this number are loaded, or were not meant for the warehouse.
    var position: Int64
    /// The last event that was loaded, by which a store is recognised.
    var lastSequence: Int64
    var lastId: String
    /// Grows with each deletion of a user, so that a load notices that its events may be gone.
    var deletions: Int64
}
