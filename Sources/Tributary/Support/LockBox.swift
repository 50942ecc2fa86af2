import TributaryJournal

/// The only lock of the library: a value that is only accessible while the lock is held.
///
/// The library does not hold it during network requests, plugin code, or file work that is longer than a single
/// `write`.
///
/// Read a closure with `current`. `withLock { $0 }` would wrap it: the compiler converts a closure that is a generic value for
/// `body`, and stores it converted again. So each read would make the next call one frame deeper, until the stack is full.
///
/// Unchecked because the value is only touched between lock and unlock, so the box may be shared whatever the value is.
package final class LockBox<Value>: @unchecked Sendable {
    private let lock = SystemLock()
    /// The lock already prevents simultaneous access, so the check at run time is switched off.
    @exclusivity(unchecked) private var value: Value

    package init(_ value: Value) { self.value = value }

    /// The value as it is now.
    package var current: Value {
        lock.lock()
        defer { lock.unlock() }
        return value
    }

    /// Replaces the value.
    /// - Returns: the value before.
    package func exchange(_ new: Value) -> Value {
        lock.lock()
        defer {
            value = new
            lock.unlock()
        }
        return value
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
