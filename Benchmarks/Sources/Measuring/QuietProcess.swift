#if os(Linux)
import Foundation

/// Whether threads of this process work, as the system sees it. Linux only.
public enum QuietProcess {
    /// For the main thread: waits until every other thread sleeps, however busy the machine is.
    ///
    /// The system's view is looked at twice: a thread that woke another one between two looks has a new count of switches.
    public static func rest() throws {
        let deadline = Clock.monotonic() + 60_000_000_000
        var last: [String: String]?
        while true {
            let threads = try others()
            if threads == last, threads.values.allSatisfy({ $0.hasPrefix("S") }) { return }
            last = threads
            guard Clock.monotonic() < deadline else { throw Failure("the process does not come to rest") }
            usleep(100)
        }
    }

    /// How often threads of this process went to sleep and were woken, without the main thread.
    public static func wakeUps() throws -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        guard let own = Int(value(switches, of: try status("\(getpid())"))) else {
            throw Failure("the system does not count switches of threads")
        }
        return usage.ru_nvcsw - own
    }

    private static let switches = "voluntary_ctxt_switches"

    /// For each other thread its state and how often it went to sleep.
    private static func others() throws -> [String: String] {
        // The main thread, which calls this, has the number of the process.
        let own = "\(getpid())"
        var found: [String: String] = [:]
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") where thread != own {
            // A thread that has ended meanwhile has no file.
            guard let text = try? status(thread) else { continue }
            found[thread] = "\(value("State", of: text)) \(value(switches, of: text))"
        }
        return found
    }

    private static func status(_ thread: String) throws -> String {
        try String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
    }

    private static func value(_ name: String, of status: String) -> String {
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
        return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    }
}
#else
/// Not known on this system.
public enum QuietProcess {
    public static func rest() throws { throw Failure("only Linux tells whether threads sleep") }
    public static func wakeUps() throws -> Int { 0 }
}
#endif
