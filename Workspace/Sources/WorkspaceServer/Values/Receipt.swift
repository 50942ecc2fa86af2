/// What became of a batch.
struct Receipt: Sendable, Equatable {
    var stored = 0
    var duplicates = 0
    var rejected = 0
    /// Signals that were stored; those that are there already count nowhere.
    var signals = 0
}
