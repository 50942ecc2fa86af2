import Dispatch

/// The time for deadlines. It never runs backwards, and ignores corrections of the wall clock.
enum MonotonicClock {
    static func nanoseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}
