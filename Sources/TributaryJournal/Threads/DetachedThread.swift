#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A thread that is never joined.
enum DetachedThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs the body on a new thread; false when the system has none.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(body)).toOpaque()
        guard spawn(work) else {
            Unmanaged<Work>.fromOpaque(work).release()
            return false
        }
        return true
    }

    private static func spawn(_ work: UnsafeMutableRawPointer) -> Bool {
        #if canImport(Darwin)
        var thread: pthread_t?
        guard pthread_create(&thread, nil, { DetachedThread.run($0) }, work) == 0 else { return false }
        if let thread { pthread_detach(thread) }
        #else
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { DetachedThread.run($0) }, work) == 0 else { return false }
        pthread_detach(thread)
        #endif
        return true
    }

    private static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
    }
}
