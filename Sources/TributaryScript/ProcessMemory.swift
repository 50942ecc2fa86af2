import CTributaryProcess
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The private memory of this process.
package enum ProcessMemory {
    #if os(Linux)
    /// The open file with the figures of this process; -1 when each look opens it. Written once, before the first script.
    private nonisolated(unsafe) static var keptFile: Int32 = -1
    #endif

    /// Keeps the file with the figures open, for a process that may open no files from now on. Called before the first
    /// script runs; the process must not fork.
    package static func keepFileOpen() {
        #if os(Linux)
        keptFile = open(path, O_RDONLY | O_CLOEXEC)
        #endif
    }

    private static let path = "/proc/self/statm"

    /// Resident bytes without those backed by files; on Apple's systems, the footprint. Nil when the system does not
    /// report it.
    ///
    /// On Linux this is one small read of `/proc/self/statm`, about 2 µs; on Apple's systems, one call of the kernel.
    static func privateBytes() -> Int? {
        #if os(Linux)
        let kept = keptFile
        let file = kept >= 0 ? kept : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { if kept < 0 { close(file) } }
        let pages = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer -> Int? in
            let count = pread(file, buffer.baseAddress, buffer.count, 0)
            return count > 0 ? privatePages(statm: buffer[..<count]) : nil
        }
        return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
        #else
        let bytes = tributary_footprint()
        return bytes < 0 ? nil : Int(clamping: bytes)
        #endif
    }

    /// The second figure of a `statm` line (resident) minus the third (shared).
    static func privatePages(statm: some Sequence<UInt8>) -> Int? {
        var figures: [Int] = [0]
        for byte in statm {
            if byte == UInt8(ascii: " ") {
                figures.append(0)
            } else if byte &- UInt8(ascii: "0") < 10 {
                figures[figures.count - 1] = figures[figures.count - 1] &* 10 &+ Int(byte - UInt8(ascii: "0"))
            }
        }
        return figures.count >= 3 ? max(0, figures[1] - figures[2]) : nil
    }
}
