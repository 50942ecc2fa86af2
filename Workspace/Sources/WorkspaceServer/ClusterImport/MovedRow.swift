/// A row of one machine on its way into a cluster.
struct MovedRow: Sendable {
    let row: EventBlock.Row
    /// The number on one machine.
    let sequence: Int64
    let storedAt: Int64
}
