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

/// The system's cheapest lock, for types that own the value that it guards.
///
/// A thread that meets a held lock spins for a moment before it sleeps. The lock is only held as long as a write takes,
/// and sleeping and waking would cost a caller of `track` twenty times that.
// The primitive is made for use by any thread, and it is only reached through the functions below.
package final class SystemLock: @unchecked Sendable {
    /// On the heap, because a lock must not move while it is held.
    private let primitive = UnsafeMutablePointer<Primitive>.allocate(capacity: 1)

    package init() {
        #if canImport(Darwin)
        primitive.initialize(to: os_unfair_lock())
        #else
        primitive.initialize(to: pthread_mutex_t())
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        #if canImport(Glibc)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
        #endif
        pthread_mutex_init(primitive, &attributes)
        pthread_mutexattr_destroy(&attributes)
        #endif
    }

    deinit {
        #if !canImport(Darwin)
        pthread_mutex_destroy(primitive)
        #endif
        primitive.deinitialize(count: 1)
        primitive.deallocate()
    }

    package func lock() {
        #if canImport(Darwin)
        os_unfair_lock_lock(primitive)
        #else
        pthread_mutex_lock(primitive)
        #endif
    }

    /// Takes the lock if no other thread has it; false otherwise.
    package func tryLock() -> Bool {
        #if canImport(Darwin)
        os_unfair_lock_trylock(primitive)
        #else
        pthread_mutex_trylock(primitive) == 0
        #endif
    }

    package func unlock() {
        #if canImport(Darwin)
        os_unfair_lock_unlock(primitive)
        #else
        pthread_mutex_unlock(primitive)
        #endif
    }
}
