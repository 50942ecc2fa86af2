import Foundation
import WorkspaceCore

/// Figures of the process and its disk, with the names that Prometheus' own libraries use. A figure that the system
/// does not give is left out.
enum ProcessFigures {
    static let help = [
        "process_cpu_seconds_total": "Time of the processors that the process has used.",
        "process_open_fds": "Open files and connections.",
        "process_max_fds": "Files and connections that may be open at once.",
        "process_resident_memory_bytes": "Memory that the process has.",
        "tributary_disk_free_bytes": "Room that is left on the disk of the data folder.",
        "tributary_disk_size_bytes": "Size of the disk of the data folder.",
        "tributary_data_bytes": "Size of the data folder.",
    ]

    static func of(dataFolder: String) -> [(name: String, value: Double)] {
        let figures: [(String, Double?)] = [
            ("process_cpu_seconds_total", cpuSeconds), ("process_open_fds", openFiles),
            ("process_max_fds", OpenFiles.limit.map { Double($0) }), ("process_resident_memory_bytes", memory),
        ]
        return figures.compactMap { name, value in value.map { (name, $0) } } + disk(dataFolder)
    }

    private static var cpuSeconds: Double? {
        var usage = rusage()
        #if canImport(Darwin)
        let isKnown = getrusage(RUSAGE_SELF, &usage) == 0
        #else
        let isKnown = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0
        #endif
        guard isKnown else { return nil }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    private static var openFiles: Double? {
        // Lists the open files on Linux and on macOS; the list itself is open too.
        (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")).map { Double(max(0, $0.count - 1)) }
    }

    private static var memory: Double? {
        // A figure that the system does not give is left out.
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) }
        return pages.map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
    }

    /// The figures of the disk that a folder is on.
    static func disk(_ folder: String) -> [(name: String, value: Double)] {
        var figures: [(name: String, value: Double)] = []
        if let disk = try? FileManager.default.attributesOfFileSystem(forPath: folder) {
            if let free = disk[.systemFreeSize] as? NSNumber {
                figures.append(("tributary_disk_free_bytes", free.doubleValue))
            }
            if let size = disk[.systemSize] as? NSNumber {
                figures.append(("tributary_disk_size_bytes", size.doubleValue))
            }
        }
        figures.append(("tributary_data_bytes", bytes(in: folder)))
        return figures
    }

    /// Files may come and go meanwhile.
    private static func bytes(in folder: String) -> Double {
        guard let files = FileManager.default.enumerator(atPath: folder) else { return 0 }
        var sum = 0.0
        while files.nextObject() != nil {
            guard files.fileAttributes?[.type] as? FileAttributeType == .typeRegular else { continue }
            sum += (files.fileAttributes?[.size] as? NSNumber)?.doubleValue ?? 0
        }
        return sum
    }
}
