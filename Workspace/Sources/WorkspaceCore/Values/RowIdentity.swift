/// Identifies a row. A request that is indexed again gives the same identities.
///
/// It holds a digest instead of the text of the id, so sorting and looking up many rows only moves numbers.
package struct RowIdentity: Sendable, Hashable {
    package enum Kind: UInt8, Sendable, CaseIterable { case event = 1, rejected, trace, signal }

    package let kind: Kind
    package let source: Int64
    /// The key of the row in the index of messages.
    package let key: MessageKey

    /// - Parameter id: the message id; for a rejected event without one, an id made from its place in the journal.
    package init(kind: Kind, source: Int64, id: String) {
        self.init(kind: kind, source: source, key: MessageKey(kind, id))
    }

    /// - Parameter key: a key made from the kind and the id.
    package init(kind: Kind, source: Int64, key: MessageKey) {
        (self.kind, self.source, self.key) = (kind, source, key)
    }

    /// Compares what the index compares. The key contains the kind.
    package static func == (left: RowIdentity, right: RowIdentity) -> Bool {
        left.key == right.key && left.source == right.source
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(source)
    }
}
