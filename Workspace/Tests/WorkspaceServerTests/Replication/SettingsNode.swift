import ClusterTestKit
import Foundation
import GRDB

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

/// A node of a cluster, as far as its settings go.
struct SettingsNode: Sendable {
    let store: Store
    let settings: SharedSettings
    let sources: SourceRegistry

    static let secret = "a secret of the operator for tests"

    init(
        _ folder: TemporaryFolder, _ log: any ChangeLog, secret: String = Self.secret, old: [String] = [],
        schema: SchemaHistory = Schema.history, options: SharedSettings.Options = .testing,
        now: @escaping @Sendable () -> Int64 = { 1 }, onChange: @escaping @Sendable (Int64) -> Void = { _ in }
    ) throws {
        let databases = try StoreDatabases(folder: DataFolder(path: folder.path), schema: schema)
        let days = try databases.days()
        let seal = try ChangeSeal(secret: secret, old: old, tables: schema.readable)
        (store, settings) = Store.ofCluster(databases, storage: days, log: log, seal: seal, options: options)
        sources = try SourceRegistry(store: store, now: now, onChange: onChange)
        settings.whenChanged { [sources] in try? await sources.reload() }
    }

    /// Applies what the log has by now.
    func look() async {
        await settings.turns.run { await settings.lookIntoLog() }
        await settings.tellListeners()
    }

    /// What a node does that follows.
    func lookAndMaintain() async {
        await settings.turns.run {
            await settings.lookIntoLog()
            await settings.maintainLog()
        }
        await settings.tellListeners()
    }

    func close() throws { try store.close() }

    /// All rows of the shared tables.
    func rows() async throws -> [String: [Row]] { try await Self.rows(store.pool) }

    static func rows(_ pool: DatabasePool) async throws -> [String: [Row]] {
        try pool.read(SettingsRecording.rows)
    }
}

extension SharedSettings.Options {
    /// Without pauses.
    static var testing: SharedSettings.Options {
        var options = SharedSettings.Options()
        options.wait = { _ in
            try Task.checkCancellation()
            await Task.yield()
        }
        return options
    }
}
