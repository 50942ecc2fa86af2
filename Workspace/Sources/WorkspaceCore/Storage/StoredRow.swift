/// A stored row, ready to be shown.
package struct StoredRow: Sendable {
    package enum Kind: Sendable { case event, trace, signal, rejected }

    package let kind: Kind
    /// Its number among the rows that are listed with it.
    package let sequence: Int64
    /// The row as JSON; empty when only bodies were asked for.
    package let text: [UInt8]
    /// The event as the client sent it, when conditions need it.
    package var body: [UInt8] = []
    /// When the event happened and when it was received, in milliseconds since 1970; nil unless only bodies were asked for.
    package var times: (happened: Int64, received: Int64)?

    package init(kind: Kind, sequence: Int64, text: [UInt8], body: [UInt8] = []) {
        (self.kind, self.sequence, self.text, self.body) = (kind, sequence, text, body)
    }
}
