import Foundation

/// A PostgreSQL server of the demo's own. Its data are in a temporary folder, and only its account and root reach its socket.
struct PostgresServer: Sendable {
    static let database = "postgres"
    static let user = "tributary"
    /// Seconds in which it must be ready.
    static let startTimeout = 60.0
    private static let schema = "tributary"

    /// Has the data and the socket.
    let folder: URL
    private let programs: URL
    private let process: ChildProcess

    /// Makes a database and starts the server.
    init(programs: URL, account: PostgresInstallation.Account) async throws(DemoError) {
        // The name is short, because the path of a socket has at most 103 bytes.
        let name = "tributary-demo-\(UUID().uuidString.prefix(8))"
        let folder = Self.place(of: account).appendingPathComponent(name)
        (self.folder, self.programs) = (folder, programs)
        do {
            try Self.make(folder, account)
            let data = folder.appendingPathComponent("data").path
            let program = { programs.appendingPathComponent($0).path }
            // Access to the folder is what protects the server, so it asks for no password.
            try await Self.run(
                Self.words(account) + [
                    program("initdb"), "--pgdata", data, "--username", Self.user, "--auth", "trust", "--encoding",
                    "UTF8",
                    "--locale", "C", "--no-sync",
                ])
            process = try await Self.start(
                Self.words(account) + [
                    program("postgres"), "-D", data, "-k", folder.path, "-c", "listen_addresses=", "-c", "fsync=off",
                    "-c",
                    "log_line_prefix=", "-c", "logging_collector=off",
                ])
        } catch {
            try? FileManager.default.removeItem(at: folder)  // in the system's temporary folder
            throw error
        }
        let ready = "LOG:  database system is ready to accept connections"
        guard await process.line(after: ready, within: Self.startTimeout) != nil else {
            await stop()
            throw DemoError(
                "PostgreSQL was not ready within \(Int(Self.startTimeout)) s", details: process.output)
        }
    }

    /// The settings of a destination that loads it.
    var settings: [String: String] {
        ["host": folder.path, "database": Self.database, "user": Self.user, "tls": "disable"]
    }

    /// A command that opens it.
    var command: String { "psql --host \(folder.path) --username \(Self.user) \(Self.database)" }

    /// The rows of each table of calls and users.
    func rows() async throws(DemoError) -> WarehouseRows {
        let names = try await query(
            """
            SELECT table_name FROM information_schema.columns WHERE table_schema = '\(Self.schema)' AND column_name = 'id'
            """)
        var ids: [String: [String]] = [:]
        for name in names {
            // One line, because the output of a program keeps only the last lines.
            let text = try await query("SELECT string_agg(id, ' ') FROM \(Self.schema).\"\(name)\"").first ?? ""
            ids[name] = text.split(separator: " ").map(String.init)
        }
        return WarehouseRows(ids: ids)
    }

    /// The lines of a result.
    private func query(_ sql: String) async throws(DemoError) -> [String] {
        try await Self.run([
            programs.appendingPathComponent("psql").path, "--no-psqlrc", "--quiet", "--tuples-only", "--no-align",
            "--host",
            folder.path, "--username", Self.user, "--dbname", Self.database, "--command", sql,
        ])
    }

    /// Ends the server and its connections, and removes its data.
    func stop() async {
        process.signal(SIGINT)
        await process.ended()
        try? FileManager.default.removeItem(at: folder)  // in the system's temporary folder
    }

    // MARK: Processes

    /// Temporary files of root may be out of reach for others.
    private static func place(of account: PostgresInstallation.Account) -> URL {
        switch account {
        case .own: FileManager.default.temporaryDirectory
        case .other(_, _, _, let home): URL(fileURLWithPath: home)
        }
    }

    private static func make(_ folder: URL, _ account: PostgresInstallation.Account) throws(DemoError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw DemoError("\(folder.path) cannot be made: \(error.localizedDescription)")
        }
        if case .other(let name, let user, let group, _) = account, chown(folder.path, user, group) != 0 {
            throw DemoError("\(folder.path) cannot be given to \(name)")
        }
    }

    /// The words before a command that runs as the account.
    private static func words(_ account: PostgresInstallation.Account) -> [String] {
        switch account {
        case .own: []
        case .other(let name, _, _, _): ["setpriv", "--reuid=\(name)", "--regid=\(name)", "--clear-groups", "--"]
        }
    }

    private static func start(_ words: [String]) async throws(DemoError) -> ChildProcess {
        try await ChildProcess(URL(fileURLWithPath: "/usr/bin/env"), arguments: words, folder: "/")
    }

    /// Runs a program to its end.
    /// - Returns: the lines of its output.
    @discardableResult
    private static func run(_ words: [String]) async throws(DemoError) -> [String] {
        let process = try await start(words)
        guard await process.ended() == .exit(0) else {
            let program = words.first { $0.hasPrefix("/") } ?? ""
            throw DemoError("\(URL(fileURLWithPath: program).lastPathComponent) failed", details: process.output)
        }
        return process.output
    }
}
