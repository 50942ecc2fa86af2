import TributaryJournal

/// The one lock of the library: a value that can only be reached while the lock is held.
///
/// Nobody holds it during network, plugin code or file work longer than a single `write`.
///
/// Unchecked because the value is only touched between lock and unlock, so the box may be shared whatever the value is.
package final class LockBox<Value>: @unchecked Sendable {
    private let lock = SystemLock()
    /// The lock already keeps others out, so the check at run time that nobody else is at it would be a second one.
    @exclusivity(unchecked) private var value: Value

    package init(_ value: Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
