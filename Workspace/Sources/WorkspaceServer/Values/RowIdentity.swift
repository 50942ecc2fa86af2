/// What tells a row from all others: the same each time that its request is indexed.
///
/// Without the text of an id, so that sorting and looking up many of them moves numbers only.
struct RowIdentity: Sendable, Hashable {
    enum Kind: UInt8, Sendable, CaseIterable { case event = 1, rejected, trace, signal }

    let kind: Kind
    let source: Int64
    /// What the index knows it by.
    let key: MessageKey

    /// - Parameter id: a message id; of a dead letter without one, its place in the journal.
    init(kind: Kind, source: Int64, id: String) { self.init(kind: kind, source: source, key: MessageKey(kind, id)) }

    /// - Parameter key: made of the kind and the id.
    init(kind: Kind, source: Int64, key: MessageKey) {
        self.kind = kind
        self.source = source
        self.key = key
    }

    /// As the index tells them apart.
    static func == (left: RowIdentity, right: RowIdentity) -> Bool {
        left.key == right.key && left.source == right.source
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(source)
    }
}
