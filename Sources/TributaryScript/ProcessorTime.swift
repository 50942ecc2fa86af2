import CTributaryProcess

/// The time for which the processor has worked for one thread.
package enum ProcessorTime {
    /// That of the calling thread, in nanoseconds; 0 when the system does not say.
    package static func ofThread() -> UInt64 { UInt64(clamping: tributary_thread_nanoseconds()) }
}
