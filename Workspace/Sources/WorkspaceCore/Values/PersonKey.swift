/// A digest of the id of a user or of a device, of which very many fit into memory.
///
/// It is another one in each process, so it is never stored.
package struct PersonKey: Sendable, Hashable, Comparable {
    private let digest: UInt64

    private init(_ id: UnsafeRawBufferPointer, isUser: Bool) {
        var hasher = Hasher()
        hasher.combine(isUser)
        hasher.combine(bytes: id)
        digest = UInt64(bitPattern: Int64(hasher.finalize()))
    }

    package static func user(_ id: UnsafeRawBufferPointer) -> PersonKey { PersonKey(id, isUser: true) }

    package static func device(_ id: UnsafeRawBufferPointer) -> PersonKey { PersonKey(id, isUser: false) }

    package static func < (left: PersonKey, right: PersonKey) -> Bool { left.digest < right.digest }
}
