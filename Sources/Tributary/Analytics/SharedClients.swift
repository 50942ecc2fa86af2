/// The clients of this process that are in use, in the order in which they were made.
///
/// Unchecked because everything is behind its lock.
final class SharedClients: @unchecked Sendable {
    static let all = SharedClients()

    private struct Entry {
        let id: ObjectIdentifier
        weak var client: Analytics?
    }

    private let entries = LockBox<[Entry]>([])

    /// The client that was made first.
    var first: Analytics? {
        entries.withLock { entries in entries.lazy.compactMap(\.client).first }
    }

    func contains(_ client: Analytics) -> Bool {
        entries.withLock { entries in entries.contains { $0.client === client } }
    }

    func add(_ client: Analytics) {
        entries.withLock { $0.append(Entry(id: ObjectIdentifier(client), client: client)) }
    }

    /// Puts a client before all others.
    func prefer(_ client: Analytics) {
        let id = ObjectIdentifier(client)
        entries.withLock { entries in
            entries.removeAll { $0.id == id }
            entries.insert(Entry(id: id, client: client), at: 0)
        }
    }

    /// Removes a client that has ended or is about to be released.
    func remove(_ id: ObjectIdentifier) {
        entries.withLock { $0.removeAll { $0.id == id } }
    }
}
