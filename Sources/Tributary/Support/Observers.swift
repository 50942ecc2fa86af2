/// Handlers that are called with each new value.
final class Observers<Value>: Sendable {
    private struct State {
        var handlers: [Int: @Sendable (Value) -> Void] = [:]
        var next = 0
    }

    private let state = LockBox(State())

    func add(_ handler: @escaping @Sendable (Value) -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.handlers[state.next] = handler
            return state.next
        }
    }

    func remove(_ id: Int) { state.withLock { _ = $0.handlers.removeValue(forKey: id) } }

    func contains(_ id: Int) -> Bool { state.withLock { $0.handlers[id] != nil } }

    func tell(_ value: Value) {
        let handlers = state.withLock { state in state.handlers.sorted { $0.key < $1.key }.map(\.value) }
        for handler in handlers { handler(value) }
    }
}
