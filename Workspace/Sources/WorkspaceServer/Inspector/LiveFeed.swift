import Logging
import ServiceLifecycle
import WorkspaceCore

/// Reads committed rows once for all listeners and gives them to the broadcaster.
struct LiveFeed: Service {
    let store: Store
    let broadcaster: Broadcaster
    let logger: Logger
    /// One element for one or more commits.
    let commits: AsyncStream<Void>

    func run() async throws {
        var position = try await store.lastSequence()
        for await _ in commits.cancelOnGracefulShutdown() {
            await broadcaster.noteCommit()
            do {
                position = try await publish(after: position)
            } catch {
                logger.error("the event stream cannot read", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Publishes all rows after a sequence and returns the last one.
    ///
    /// The end is read before the listeners are counted. A listener that is added in between reads the end itself and
    /// finds the same or a later one, so it misses nothing.
    private func publish(after position: Int64) async throws -> Int64 {
        let end = try await store.lastSequence()
        if await broadcaster.isEmpty { return end }
        var position = position
        while position < end {
            let messages = try await store.messages(after: position, through: end)
            guard let last = messages.last?.sequence else { return end }
            for message in messages { await broadcaster.publish(message) }
            position = last
        }
        return end
    }
}
