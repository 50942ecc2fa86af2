import AsyncHTTPClient
import Foundation
import NIOCore
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// A ClickHouse of today for tests, in a temporary folder, that listens on 127.0.0.1 (Tests/Cluster/modern_clickhouse.py).
///
/// `scripts/bootstrap warehouse` installs it; without it the tests that need it are skipped.
actor ClickHouseServer {
    static let password = "the-password"
    static let reason = "chdb is not installed (scripts/bootstrap warehouse)"
    private static let patience = Duration.seconds(60)

    /// The interpreter with chdb; nil when it is not installed.
    static let python: String? = {
        let tools = ProcessInfo.processInfo.environment["BUILD_TOOLS"] ?? "\(root)/.build-tools"
        let path = "\(tools)/chdb/bin/python"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    private static let root: String = {
        var path = URL(fileURLWithPath: #filePath)
        // Workspace/Tests/WorkspaceServerTests/Support/ClickHouseServer.swift
        for _ in 0..<5 { path.deleteLastPathComponent() }
        return path.path
    }()

    /// The server of all tests; made by the first of them.
    static func shared() async throws -> ClickHouseServer { try await holder.make() }

    private static let holder = Holder()

    private actor Holder {
        private var making: Task<ClickHouseServer, any Error>?

        func make() async throws -> ClickHouseServer {
            let task = making ?? Task { try await ClickHouseServer() }
            making = task
            return try await task.value
        }
    }

    nonisolated let port: Int
    private let process = Process()
    private var databases = 0

    nonisolated var url: String { "http://127.0.0.1:\(port)" }

    private init() async throws {
        guard let python = Self.python else { throw PostgresServer.Failed(text: Self.reason) }
        let folder = NSTemporaryDirectory() + "tributary-clickhouse-\(UUID().uuidString.prefix(8))"
        let (descriptor, port) = try PostgresServer.listen()
        close(descriptor)
        self.port = port
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [
            "\(Self.root)/Tests/Cluster/modern_clickhouse.py", "--port", "\(port)", "--folder", folder, "--password",
            Self.password,
        ]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        // A shell in the background has its children ignore INT, and Python keeps that.
        PostgresServer.endAtExit(process.processIdentifier, folder, signal: "KILL")
        let deadline = ContinuousClock.now + Self.patience
        while true {
            do {
                _ = try await query("SELECT 1", database: "default")
                break
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// The name of a database that does not exist yet.
    func nextDatabase() -> String {
        databases += 1
        return "d\(databases)"
    }

    /// The settings of a destination that loads a database.
    nonisolated func settings(_ database: String) -> JSONObject {
        ["url": .string(url), "database": .string(database)]
    }

    nonisolated func place(
        _ database: String, destination: String = "Lake", password: String = password
    ) throws -> ClickHousePlace {
        try ClickHouseWarehouseSettings(settings(database)).place(
            WarehouseKey(source: "WK", destination: destination, madeAt: 1), password: Array(password.utf8))
    }

    nonisolated func warehouse(_ database: String, destination: String = "Lake") throws -> ClickHouseWarehouse {
        ClickHouseWarehouse(try place(database, destination: destination), client: .shared)
    }

    /// The rows of a query; nil is NULL. Without rows, a statement.
    @discardableResult
    nonisolated func query(_ sql: String, database: String) async throws -> [[String?]] {
        let connection = ClickHouseConnection(try place(database), client: .shared)
        guard sql.hasPrefix("SELECT") else {
            try await connection.run(sql, ["mutations_sync": "1"])
            return []
        }
        return try await connection.rows(sql)
    }
}
