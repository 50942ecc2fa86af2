import Foundation

/// What this process holds, as the system counts it. Linux only; 0 elsewhere.
public enum ProcessMemory {
    /// Megabytes of memory that no other process shares and that were written to.
    public static func privateMegabytes() -> Double { read("/proc/self/smaps_rollup", "Private_Dirty:") }

    /// Megabytes that were in memory at the most.
    public static func peakMegabytes() -> Double { read("/proc/self/status", "VmHWM:") }

    private static func read(_ file: String, _ field: String) -> Double {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix(field) }
        let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
        return (kilobytes ?? 0) / 1024
    }
}
