// The C library of Apple's systems, as far as the client uses what Linux does not have.
@_exported public import Glibc

// Not read: os/os_unfair_lock, and its functions
public struct os_unfair_lock_s {
    public init() {}
}
// Not read: os/os_unfair_lock
public typealias os_unfair_lock = os_unfair_lock_s
// Not read: os/os_unfair_lock_t
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>
// Not read: os/os_unfair_lock_lock
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {}
// Not read: os/os_unfair_lock_unlock
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {}
// Not read: os/os_unfair_lock_trylock
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool { true }

// Not read: the manual page fcntl(2)
public let F_FULLFSYNC: Int32 = 51
// Not read: the header sys/fcntl.h
public let F_SETPROTECTIONCLASS: Int32 = 64

// Not read: the manual page sysctlbyname(3)
@discardableResult public func sysctlbyname(
    _ name: UnsafePointer<CChar>!, _ old: UnsafeMutableRawPointer!, _ oldSize: UnsafeMutablePointer<Int>!,
    _ new: UnsafeMutableRawPointer!, _ newSize: Int
) -> Int32 { -1 }

// Not read: the header sys/_pthread/_pthread_types.h
public struct _opaque_pthread_t {}
// Not read: the same header
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

// Not read: the manual page pthread_create(3)
@discardableResult public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>!, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 { -1 }
// Not read: the manual page pthread_detach(3)
@discardableResult public func pthread_detach(_ thread: pthread_t) -> Int32 { 0 }
// Not read: the header pthread.h
@discardableResult public func pthread_setname_np(_ name: UnsafePointer<CChar>) -> Int32 { 0 }
