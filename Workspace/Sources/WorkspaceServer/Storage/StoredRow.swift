/// A stored row, ready to be shown.
struct StoredRow: Sendable {
    enum Kind: Sendable { case event, trace, signal, rejected }

    let kind: Kind
    /// Its number among the rows that are listed with it.
    let sequence: Int64
    /// The row as JSON; empty when only bodies were asked for.
    let text: [UInt8]
    /// The event as the client sent it, when conditions need it.
    var body: [UInt8] = []
}
