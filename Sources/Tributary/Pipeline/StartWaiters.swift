/// Callers that wait until a client processes events.
struct StartWaiters {
    typealias Handler = @Sendable () -> Void

    private var ready: [Handler] = []
    private var end: [Handler] = []

    mutating func add(_ handler: @escaping Handler) { ready.append(handler) }

    /// The handler is called once: when events are processed, or when the client ends before that.
    mutating func addUntilEnd(_ handler: @escaping Handler) {
        let once = Once<Void> { _ in handler() }
        ready.append { once.call(()) }
        end.append { once.call(()) }
    }

    /// Events are processed.
    mutating func takeReady() -> [Handler] {
        defer { ready = [] }
        return ready
    }

    /// The client has ended.
    mutating func takeEnd() -> [Handler] {
        defer { end = [] }
        return end
    }
}
