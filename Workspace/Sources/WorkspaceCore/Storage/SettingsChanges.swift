package import GRDB

/// How settings are changed: in the database of one machine, or in a log that the nodes of a cluster share.
///
/// Settings are the rows of the tables that all nodes of a cluster have alike. See `SettingsTables`.
package protocol SettingsChanges: Sendable {
    /// Whether other nodes have the same settings.
    var isShared: Bool { get }

    /// Makes a change in one transaction.
    ///
    /// Both closures change nothing but the database, because they may be called more than once.
    /// - Parameters:
    ///   - local: changes tables that are not shared, before `update`. In a cluster this is lost when the process ends
    ///     between the change of the settings and its application on this node.
    ///   - update: reads and changes. In a cluster, its changes of tables that are not shared do not last.
    /// - Throws: what `update` throws; then nothing was changed. `Refusal` with 503 when a cluster cannot change settings now.
    func change<T: Sendable>(
        alongside local: @escaping @Sendable (Database) throws -> Void,
        _ update: @escaping @Sendable (Database) throws -> T
    ) async throws -> T

    /// Makes a change before a server runs.
    /// - Throws: `WorkspaceError` in a cluster.
    func changeNow<T>(_ update: (Database) throws -> T) throws -> T
}

extension Store {
    /// Makes a change of settings in one transaction. See `SettingsChanges`.
    package func change<T: Sendable>(
        alongside local: @escaping @Sendable (Database) throws -> Void = { _ in },
        _ update: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await settings.change(alongside: local, update)
    }
}
