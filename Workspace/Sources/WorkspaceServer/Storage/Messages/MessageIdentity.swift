/// Identifies a message in the index. The key contains the kind.
struct MessageIdentity: Sendable, Hashable {
    let key: MessageKey
    let source: Int64

    init(key: MessageKey, source: Int64) { (self.key, self.source) = (key, source) }

    init(_ identity: RowIdentity) { self.init(key: identity.key, source: identity.source) }
}
