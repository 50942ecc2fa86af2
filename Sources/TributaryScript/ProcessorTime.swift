import CTributaryProcess

/// The time for which the processor has worked for one thread.
package enum ProcessorTime {
    /// That of the calling thread, in nanoseconds; 0 when the system does not say.
    package static func ofThread() -> UInt64 { UInt64(clamping: tributary_thread_nanoseconds()) }
}

/// The processor time of one thread, for other threads.
struct ThreadClock: Sendable {
    private let clock = tributary_thread_clock()

    /// The clock of the calling thread.
    init() {}

    /// Seconds for which the processor has worked for the thread; 0 when the system does not say.
    var seconds: Double { Double(tributary_thread_clock_nanoseconds(clock)) / 1e9 }
}
