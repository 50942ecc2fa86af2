import WorkspaceCore

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
        let holder: SharedSlots.Holder
    }

    private var listeners: [Int: Listener] = [:]
    private var places = SharedSlots(Limits.streamListeners)
    private var nextId = 0
    /// Grows with every commit that was seen, so that figures are computed only when they can have changed.
    private(set) var commits = 0

    var isEmpty: Bool { listeners.isEmpty }

    var count: Int { listeners.count }

    /// Why another listener would not be let in; nil when there is room.
    func refusal(of holder: SharedSlots.Holder) -> SharedSlots.Full? { places.refusal(of: holder) }

    /// Adds a listener.
    /// - Parameter holder: who listens.
    func subscribe(
        _ holder: SharedSlots.Holder = SharedSlots.Holder(.server)
    ) throws(SharedSlots.Full) -> Subscription {
        try places.take(holder)
        let (stream, continuation) = AsyncStream.makeStream(
            of: StreamMessage.self, bufferingPolicy: .bufferingOldest(Limits.streamBuffer))
        nextId += 1
        listeners[nextId] = Listener(messages: continuation, holder: holder)
        return Subscription(id: nextId, messages: stream)
    }

    func unsubscribe(_ id: Int) {
        guard let listener = listeners.removeValue(forKey: id) else { return }
        places.leave(listener.holder)
        listener.messages.finish()
    }

    /// Cuts off the listeners of a token.
    func cutOff(token: String) {
        for (id, listener) in listeners where listener.holder.token == token { unsubscribe(id) }
    }

    func noteCommit() { commits += 1 }

    func publish(_ message: StreamMessage) {
        for (id, listener) in listeners {
            if case .enqueued = listener.messages.yield(message) { continue }
            unsubscribe(id)
        }
    }
}

extension Limits {
    /// Messages that may wait for one listener of the event stream; a slower one is cut off.
    static let streamBuffer = 1_000
    /// Listeners of the event stream.
    static let streamListeners = 400
}
