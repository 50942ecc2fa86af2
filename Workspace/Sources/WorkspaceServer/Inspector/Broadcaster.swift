/// Hands every message to every listener.
///
/// Each listener has a bounded buffer. One that does not keep up is cut off rather than waited for; it comes back with
/// the sequence that it had reached and reads the rest from the database.
actor Broadcaster {
    struct Subscription: Sendable {
        let id: Int
        let messages: AsyncStream<StreamMessage>
    }

    private struct Listener {
        let messages: AsyncStream<StreamMessage>.Continuation
        /// The name of the token that it listens with; nil for the admin token.
        let token: String?
    }

    private var listeners: [Int: Listener] = [:]
    private var nextId = 0
    /// Grows with every commit that was seen, so that figures are computed only when they can have changed.
    private(set) var commits = 0

    var isEmpty: Bool { listeners.isEmpty }

    var count: Int { listeners.count }

    /// True when no more listeners should be let in.
    var isFull: Bool { listeners.count >= Limits.streamListeners }

    /// Adds a listener.
    /// - Parameter token: the name of its token; nil for the admin token.
    func subscribe(token: String? = nil) -> Subscription {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StreamMessage.self, bufferingPolicy: .bufferingOldest(Limits.streamBuffer))
        nextId += 1
        listeners[nextId] = Listener(messages: continuation, token: token)
        return Subscription(id: nextId, messages: stream)
    }

    func unsubscribe(_ id: Int) { listeners.removeValue(forKey: id)?.messages.finish() }

    /// Cuts off the listeners of a token.
    func cutOff(token: String) {
        for (id, listener) in listeners where listener.token == token { unsubscribe(id) }
    }

    func noteCommit() { commits += 1 }

    func publish(_ message: StreamMessage) {
        for (id, listener) in listeners {
            if case .enqueued = listener.messages.yield(message) { continue }
            unsubscribe(id)
        }
    }
}
