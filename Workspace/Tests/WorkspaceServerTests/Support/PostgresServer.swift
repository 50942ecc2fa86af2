import Foundation
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// A PostgreSQL server of its own for tests, in a temporary folder, that listens on 127.0.0.1.
///
/// `scripts/bootstrap warehouse` installs it; without it the tests that need it are skipped.
actor PostgresServer {
    static let password = "the-password"
    static let user = "tributary"
    private static let patience = Duration.seconds(60)

    /// The folder of the server's programs; nil when it is not installed.
    static let programs: String? = {
        let fromEnvironment = ProcessInfo.processInfo.environment["TRIBUTARY_POSTGRES"]
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
        return ([fromEnvironment].compactMap(\.self) + folders).first {
            FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
        }
    }()

    static let reason = "PostgreSQL is not installed (scripts/bootstrap warehouse)"

    /// The server of all tests; made by the first of them.
    static func shared() async throws -> PostgresServer {
        if let server = await holder.server { return server }
        return try await holder.make()
    }

    private static let holder = Holder()

    private actor Holder {
        var server: PostgresServer?
        private var making: Task<PostgresServer, any Error>?

        func make() async throws -> PostgresServer {
            let task = making ?? Task { try await PostgresServer() }
            making = task
            let made = try await task.value
            server = made
            return made
        }
    }

    struct Failed: Error { let text: String }

    nonisolated let port: Int
    private let folder: String
    private let process: Process
    private var databases = 0

    private init() async throws {
        guard let programs = Self.programs else { throw Failed(text: Self.reason) }
        // The folder of temporary files may be root's alone.
        let place = geteuid() == 0 ? "/var/lib/postgresql/" : NSTemporaryDirectory()
        folder = place + "tributary-postgres-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = "\(folder)/password"
        try Data(Self.password.utf8).write(to: URL(fileURLWithPath: file))
        port = try Self.freePort()
        try Self.run(Self.command(["chown", "-R", Self.owner, folder], isOwner: false))
        try Self.run(
            Self.command([
                "\(programs)/initdb", "--pgdata", "\(folder)/data", "--username", Self.user, "--auth", "scram-sha-256",
                "--pwfile", file, "--encoding", "UTF8", "--locale", "C", "--no-sync",
            ]))
        process = Self.command([
            "\(programs)/postgres", "-D", "\(folder)/data", "-p", "\(port)", "-k", folder, "-c",
            "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "logging_collector=off",
        ])
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        Self.endAtExit(process.processIdentifier, folder)
        let deadline = ContinuousClock.now + Self.patience
        while true {
            do {
                _ = try await query("SELECT 1", database: "postgres")
                break
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// A new, empty database.
    func makeDatabase() async throws -> String {
        databases += 1
        let name = "d\(databases)"
        _ = try await query("CREATE DATABASE \(name)", database: "postgres")
        return name
    }

    /// The settings of a destination that loads a database.
    nonisolated func settings(_ database: String, _ more: String = "") -> String {
        """
        {"host":"127.0.0.1","port":\(port),"database":"\(database)","user":"\(Self.user)","tls":"disable"\(more)}
        """
    }

    nonisolated func place(_ database: String, destination: String = "Lake") throws -> PostgresPlace {
        let settings = try PostgresSettings([
            "host": "127.0.0.1", "port": .number(port), "database": .string(database), "user": .string(Self.user),
            "tls": "disable",
        ])
        return settings.place(
            .init(source: "WK", destination: destination, madeAt: 1), password: Array(Self.password.utf8))
    }

    /// The rows of a query; nil is NULL.
    nonisolated func query(
        _ sql: String, _ parameters: [String?] = [], database: String
    ) async throws -> [[String?]] {
        let parameterValues = try place(database).parameters.map { ($0.name, $0.value) }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        let connection = try PostgresConnection(parameterValues, seconds: 60, stop: StopSignal())
                        return try connection.run(sql, parameters)
                    })
            }
        }
    }

    // MARK: Processes

    /// PostgreSQL refuses to run with the rights of root.
    private static let owner = geteuid() == 0 ? "postgres" : NSUserName()

    private static func command(_ words: [String], isOwner: Bool = true) -> Process {
        let process = Process()
        let prefix =
            isOwner && geteuid() == 0
            ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] : []
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = prefix + words
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        return process
    }

    private static func run(_ process: Process) throws {
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = CommandRun.rest(of: output.fileHandleForReading)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(text: text) }
    }

    private static func freePort() throws -> Int {
        let (descriptor, port) = try listen()
        close(descriptor)
        return port
    }

    /// A port of the system's choice that is listened on.
    static func listen() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && Foundation.listen(descriptor, 5) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failed(text: "there is no free port") }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// The server ends with the tests: a program beside it waits for their end.
    /// - Parameter signal: the name of the signal that ends it.
    static func endAtExit(_ server: Int32, _ folder: String, signal: String = "INT") {
        let watcher = Process()
        watcher.executableURL = URL(fileURLWithPath: "/bin/sh")
        watcher.arguments = [
            "-c",
            "while kill -0 \(getpid()) 2>/dev/null; do sleep 1; done; kill -\(signal) \(server); sleep 2; rm -rf '\(folder)'",
        ]
        (watcher.standardInput, watcher.standardOutput, watcher.standardError) = (
            FileHandle.nullDevice, FileHandle.nullDevice, FileHandle.nullDevice
        )
        // Without it the server goes on after the tests, and nothing else happens.
        try? watcher.run()
    }
}
