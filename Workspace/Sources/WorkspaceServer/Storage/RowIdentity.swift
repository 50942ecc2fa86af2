/// What tells a row from all others of its kind: the same each time that its request is indexed.
struct RowIdentity: Sendable, Hashable {
    enum Kind: UInt8, Sendable, CaseIterable { case event = 1, rejected, trace, signal }

    let kind: Kind
    let source: Int64
    /// A message id; of a dead letter without one, its place in the journal.
    let id: String
    /// What the index knows it by; made of kind and id.
    let key: MessageKey

    init(kind: Kind, source: Int64, id: String) {
        self.init(kind: kind, source: source, id: id, key: MessageKey(kind, id))
    }

    /// - Parameter key: of that kind and id, where it is known.
    init(kind: Kind, source: Int64, id: String, key: MessageKey) {
        self.kind = kind
        self.source = source
        self.id = id
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
