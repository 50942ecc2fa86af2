import Foundation

/// Clocks with nanoseconds, read as cheaply as the system can.
public enum Clock {
    /// Time that passes in any case; the same for all processes of a machine.
    public static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

    /// Time that the cores spent on this process, in all of its threads and in the system for it.
    public static func processTime() -> Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// What one look at the clock adds to a time that is measured with two looks.
    public static func overhead() -> Int64 {
        var times = Distribution(capacity: 10_000)
        for _ in 0..<10_000 {
            let start = monotonic()
            times.add(monotonic() - start)
        }
        return times.median
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
