import Foundation

/// Whether this machine has a PostgreSQL server that the demo can start.
enum PostgresInstallation: Equatable {
    /// Its programs are in this folder.
    case installed(programs: URL, account: Account)
    /// Why it cannot be started, and how to change that.
    case missing(String)

    /// The account that the server runs as.
    enum Account: Equatable {
        case own
        /// PostgreSQL refuses to run as root.
        case other(name: String, user: UInt32, group: UInt32, home: String)
    }

    private static let needed = ["initdb", "postgres", "psql"]
    private static let user = "postgres"

    /// The newest version on this machine; one in PATH comes first.
    static func find() -> PostgresInstallation {
        let versions = URL(fileURLWithPath: "/usr/lib/postgresql")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return PostgresInstallation(
            path: path, versions: versions, account: account, canChangeUser: has("setpriv", in: path))
    }

    /// - Parameters:
    ///   - path: folders, divided by colons.
    ///   - versions: a folder with a folder for each version, as Debian has it.
    ///   - account: nil when this process is root, and there is no user `postgres`.
    ///   - canChangeUser: the program `setpriv` is installed.
    init(path: String, versions: URL, account: Account?, canChangeUser: Bool) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: versions.path)) ?? []
        let newestFirst = names.sorted { (Double($0) ?? 0) > (Double($1) ?? 0) }
        let folders =
            Self.folders(path) + newestFirst.map { versions.appendingPathComponent($0).appendingPathComponent("bin") }
        guard let programs = folders.first(where: Self.isComplete) else {
            self = .missing("PostgreSQL is not installed (on Debian and Ubuntu: sudo apt install postgresql)")
            return
        }
        switch account {
        case nil:
            self = .missing(
                "PostgreSQL does not run as root, and there is no user \(Self.user); start the demo as another user")
        case .other where !canChangeUser:
            self = .missing("PostgreSQL does not run as root, and there is no setpriv; start the demo as another user")
        case .some(let account):
            self = .installed(programs: programs, account: account)
        }
    }

    private static func folders(_ path: String) -> [URL] {
        path.split(separator: ":").map { URL(fileURLWithPath: String($0)) }
    }

    private static func isComplete(_ folder: URL) -> Bool {
        needed.allSatisfy {
            FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent($0).path)
        }
    }

    private static func has(_ program: String, in path: String) -> Bool {
        folders(path).contains {
            FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent(program).path)
        }
    }

    private static var account: Account? {
        guard geteuid() == 0 else { return .own }
        guard let entry = getpwnam(user) else { return nil }
        return .other(
            name: user, user: entry.pointee.pw_uid, group: entry.pointee.pw_gid,
            home: String(cString: entry.pointee.pw_dir))
    }
}
