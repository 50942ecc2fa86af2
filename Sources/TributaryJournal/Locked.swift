#if canImport(Darwin)
import Darwin
private typealias Primitive = os_unfair_lock
#elseif canImport(Glibc)
import Glibc
private typealias Primitive = pthread_mutex_t
#elseif canImport(Musl)
import Musl
private typealias Primitive = pthread_mutex_t
#endif

/// A value that only one thread at a time can touch.
// The value is reachable through withLock and tryWithLock only, which hold the primitive for as long as they lend it.
final class Locked<Value: Sendable>: @unchecked Sendable {
    /// The primitive already keeps others out, so the check at run time that nobody else is at it would be a second one.
    @exclusivity(unchecked) private var value: Value
    /// On the heap, because a lock must not move while it is held.
    private let primitive: UnsafeMutablePointer<Primitive>

    init(_ value: Value) {
        self.value = value
        primitive = .allocate(capacity: 1)
        #if canImport(Darwin)
        primitive.initialize(to: os_unfair_lock())
        #else
        primitive.initialize(to: pthread_mutex_t())
        pthread_mutex_init(primitive, nil)
        #endif
    }

    deinit {
        #if !canImport(Darwin)
        pthread_mutex_destroy(primitive)
        #endif
        primitive.deinitialize(count: 1)
        primitive.deallocate()
    }

    /// Lends the value, waiting for others to finish with it.
    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if canImport(Darwin)
        os_unfair_lock_lock(primitive)
        #else
        pthread_mutex_lock(primitive)
        #endif
        defer { unlock() }
        return try body(&value)
    }

    /// Lends the value if nobody has it; returns nil at once otherwise.
    func tryWithLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        #if canImport(Darwin)
        guard os_unfair_lock_trylock(primitive) else { return nil }
        #else
        guard pthread_mutex_trylock(primitive) == 0 else { return nil }
        #endif
        defer { unlock() }
        return try body(&value)
    }

    private func unlock() {
        #if canImport(Darwin)
        os_unfair_lock_unlock(primitive)
        #else
        pthread_mutex_unlock(primitive)
        #endif
    }
}
