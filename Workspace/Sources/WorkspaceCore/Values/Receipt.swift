/// The outcomes of the events of a batch.
package struct Receipt: Sendable, Equatable {
    package var stored = 0
    package var duplicates = 0
    package var rejected = 0
    /// Signals that were stored. Signals that were stored before are not counted.
    package var signals = 0
}
