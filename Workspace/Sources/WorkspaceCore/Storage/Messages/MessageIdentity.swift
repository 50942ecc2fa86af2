/// Identifies a message in the index. The key contains the kind.
package struct MessageIdentity: Sendable, Hashable {
    package let key: MessageKey
    package let source: Int64

    package init(key: MessageKey, source: Int64) { (self.key, self.source) = (key, source) }

    package init(_ identity: RowIdentity) { self.init(key: identity.key, source: identity.source) }
}
