import WorkspaceCore

/// The events that wait for a destination: new events, and events that are tried again.
struct DestinationBacklog: Sendable {
    let store: Store
    let states: ForwardingStates

    /// When the oldest waiting event came; nil when none waits.
    func oldest(of destination: Destination) async throws -> Int64? {
        let standing = try await store.forwarding(of: destination.id)
        let position = states.state(of: destination.id)?.position ?? standing.position
        var oldest = try await store.storage.backlog(of: destination.source, after: position, atMost: 1).oldest
        if let first = standing.waiting.first {
            let waiting = try await store.storage.backlog(of: destination.source, after: first.sequence - 1, atMost: 1)
            oldest = [oldest, waiting.oldest].compactMap { $0 }.min()
        }
        return oldest
    }

    /// Counts up to `Limits.countedBacklog` untried events; for a longer backlog it gives that number.
    func of(_ destination: Destination) async throws -> EventBacklog {
        let standing = try await store.forwarding(of: destination.id)
        let state = states.state(of: destination.id)
        var backlog = try await store.storage.backlog(
            of: destination.source, after: state?.position ?? standing.position, atMost: Limits.countedBacklog)
        backlog.count += state?.waiting ?? standing.waiting.count
        if let first = standing.waiting.first {
            let waiting = try await store.storage.backlog(of: destination.source, after: first.sequence - 1, atMost: 1)
            backlog.oldest = [backlog.oldest, waiting.oldest].compactMap { $0 }.min()
        }
        return backlog
    }
}
