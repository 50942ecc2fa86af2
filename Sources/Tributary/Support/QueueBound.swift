package import Dispatch

/// Mutable state that only one serial queue touches. A class with nothing else that changes is `Sendable` for the compiler.
///
/// A debug build stops when something else touches the state.
///
/// Unchecked because only the queue touches the state, which debug builds check.
@dynamicMemberLookup
package final class QueueBound<State>: @unchecked Sendable {
    private let queue: DispatchQueue
    private var state: State

    package init(_ state: State, to queue: DispatchQueue) {
        self.state = state
        self.queue = queue
    }

    package var value: State {
        check()
        return state
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<State, Value>) -> Value {
        get {
            check()
            return state[keyPath: path]
        }
        _modify {
            check()
            yield &state[keyPath: path]
        }
    }

    private func check() {
        #if DEBUG
        dispatchPrecondition(condition: .onQueue(queue))
        #endif
    }
}
