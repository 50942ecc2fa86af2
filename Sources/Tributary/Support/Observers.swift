/// Handlers that are called with each new value, in the order in which they were added.
package final class Observers<Value>: Sendable {
    private struct State {
        var handlers: [(id: Int, call: @Sendable (Value) -> Void)] = []
        var next = 0
    }

    private let state = LockBox(State())

    package init() {}

    package func add(_ handler: @escaping @Sendable (Value) -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.handlers.append((state.next, handler))
            return state.next
        }
    }

    package func remove(_ id: Int) { state.withLock { $0.handlers.removeAll { $0.id == id } } }

    package var isEmpty: Bool { state.withLock { $0.handlers.isEmpty } }

    package func contains(_ id: Int) -> Bool { state.withLock { $0.handlers.contains { $0.id == id } } }

    package func tell(_ value: Value) {
        for handler in state.withLock({ $0.handlers }) { handler.call(value) }
    }
}
