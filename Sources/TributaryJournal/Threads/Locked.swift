/// A value that only one thread at a time can access.
// The value is only accessible in withLock and tryWithLock, which hold the lock meanwhile.
final class Locked<Value: Sendable>: @unchecked Sendable {
    /// The lock already prevents simultaneous access, so the check at run time is switched off.
    @exclusivity(unchecked) private var value: Value
    private let lock = SystemLock()

    init(_ value: Value) { self.value = value }

    /// Lends the value, and waits until no other thread has it.
    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// Lends the value if no other thread has it; otherwise returns nil at once.
    func tryWithLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard lock.tryLock() else { return nil }
        defer { lock.unlock() }
        return try body(&value)
    }
}
