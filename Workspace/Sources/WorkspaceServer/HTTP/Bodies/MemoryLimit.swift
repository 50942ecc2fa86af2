import Foundation
import WorkspaceCore

/// The memory that the process may use: that of the machine, or less where the system limits it, as it does for containers.
enum MemoryLimit {
    static var bytes: Int {
        let machine = Int(clamping: ProcessInfo.processInfo.physicalMemory)
        return files.reduce(machine) { least, file in
            // Where there is no such file, there is no such limit.
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return least }
            return min(least, limit(text) ?? least)
        }
    }

    /// The bytes in a file of the kernel; nil for "max".
    static func limit(_ text: String) -> Int? {
        Int(text.trimmingCharacters(in: .whitespacesAndNewlines)).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Control groups of both versions, as a container sees them, and the group of the process.
    private static var files: [String] {
        let group = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8))
            .flatMap { $0.split(separator: "\n").first { $0.hasPrefix("0::") } }
            .map { String($0.dropFirst(3)) }
        return ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
            + (group.map { ["/sys/fs/cgroup\($0)/memory.max"] } ?? [])
    }
}
