import Dispatch

/// The time that deadlines are measured with: it never runs backwards and ignores the wall clock's corrections.
enum MonotonicClock {
    static func nanoseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}
