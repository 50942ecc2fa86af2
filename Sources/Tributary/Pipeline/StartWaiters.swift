/// Callers that wait until a client processes events.
struct StartWaiters {
    typealias Handler = @Sendable () -> Void

    private var ready: [Handler] = []
    private var end: [Handler] = []

    mutating func add(_ handler: @escaping Handler) { ready.append(handler) }

    /// Adds a handler that is called once: when events are processed, or when the client ends earlier.
    mutating func addUntilEnd(_ handler: @escaping Handler) {
        let once = Once<Void> { _ in handler() }
        ready.append { once.call(()) }
        end.append { once.call(()) }
    }

    /// The handlers to call when events are processed.
    mutating func takeReady() -> [Handler] {
        defer { ready = [] }
        return ready
    }

    /// The handlers to call when the client ends.
    mutating func takeEnd() -> [Handler] {
        defer { end = [] }
        return end
    }
}
