/// Handlers that are called with each new value of something, in the order in which they were added.
final class Observers<Value>: Sendable {
    private struct State {
        var handlers: [(id: Int, call: @Sendable (Value) -> Void)] = []
        var next = 0
    }

    private let state = LockBox(State())

    func add(_ handler: @escaping @Sendable (Value) -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.handlers.append((state.next, handler))
            return state.next
        }
    }

    func remove(_ id: Int) { state.withLock { $0.handlers.removeAll { $0.id == id } } }

    func contains(_ id: Int) -> Bool { state.withLock { $0.handlers.contains { $0.id == id } } }

    func tell(_ value: Value) {
        for handler in state.withLock({ $0.handlers }) { handler.call(value) }
    }
}
