/// The outcomes of the events of a batch.
struct Receipt: Sendable, Equatable {
    var stored = 0
    var duplicates = 0
    var rejected = 0
    /// Signals that were stored. Signals that were stored before are not counted.
    var signals = 0
}
