import Synchronization

/// A value behind a lock, for state that several closures share.
package final class Locked<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    package init(_ value: Value) { self.value = Mutex(value) }

    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { value.withLock { body(&$0) } }
}
