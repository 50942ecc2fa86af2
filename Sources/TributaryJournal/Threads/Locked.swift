/// A value that only one thread at a time can touch.
// The value is reachable through withLock and tryWithLock only, which hold the lock for as long as they lend it.
final class Locked<Value: Sendable>: @unchecked Sendable {
    /// The lock already keeps others out, so the check at run time that nobody else is at it would be a second one.
    @exclusivity(unchecked) private var value: Value
    private let lock = SystemLock()

    init(_ value: Value) { self.value = value }

    /// Lends the value, waiting for others to finish with it.
    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// Lends the value if nobody has it; returns nil at once otherwise.
    func tryWithLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard lock.tryLock() else { return nil }
        defer { lock.unlock() }
        return try body(&value)
    }
}
