#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension JournalOptions {
    /// The wall clock of the system in milliseconds since 1970; 0 when it cannot be read.
    @Sendable public static func systemTime() -> Int64 {
        var time = timespec()
        #if canImport(Darwin)
        let clock = CLOCK_REALTIME
        #else
        // It is exact to a few milliseconds and costs a fifth.
        let clock = CLOCK_REALTIME_COARSE
        #endif
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
