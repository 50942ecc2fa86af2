import Foundation
import WorkspaceCore

/// The limit of files, including connections, that the process may have open.
package enum OpenFiles {
    /// More than a server of one machine needs, and not more than any system allows.
    private static let wanted = 65_536
    private static let wantedElsewhere = 10_240

    /// Raises the limit as far as the system allows a process to do so.
    package static func raiseLimit() {
        guard var limit = current() else { return }
        for count in [wanted, wantedElsewhere] {
            let goal = min(limit.rlim_max, rlim_t(count))
            guard goal > limit.rlim_cur else { return }
            limit.rlim_cur = goal
            if setrlimit(resource, &limit) == 0 { return }
        }
    }

    /// The number of connections that leaves enough files for databases, the journal and destinations.
    static var connections: Int {
        let limit = current().map { Int(min($0.rlim_cur, rlim_t(wanted))) } ?? 1_024
        return max(16, limit - min(Limits.reservedFiles, limit / 2))
    }

    static var limit: Int? { current().map { Int(clamping: $0.rlim_cur) } }

    private static func current() -> rlimit? {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : nil
    }

    #if canImport(Darwin)
    private static let resource = RLIMIT_NOFILE
    #else
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
}
