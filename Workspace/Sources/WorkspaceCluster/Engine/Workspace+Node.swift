import WorkspaceCore
package import WorkspaceServer

extension Workspace {
    /// Opens the data folder of a node of a cluster, brings its settings up to date, and prepares the server.
    ///
    /// The settings of the first node become the settings of the cluster. While the log is away, a node starts with the
    /// settings that it has on its disk.
    /// - Parameters:
    ///   - node: the engines of the cluster.
    ///   - onReady: called once, when connections are accepted.
    /// - Throws: `WorkspaceError`, also when the settings of the folder do not belong to the cluster.
    package static func open(
        _ configuration: WorkspaceConfiguration, node: ClusterNode,
        onReady: @escaping @Sendable (Address) async -> Void = { _ in }
    ) async throws -> Workspace {
        let folder = try DataFolder(path: configuration.dataFolder)
        try folder.protect()
        try FolderContents(of: folder.path).checkNode()
        let (store, settings) = Store.ofCluster(
            try StoreDatabases(folder: folder, logger: configuration.logger), storage: node.storage,
            makeSourceId: configuration.environment.makeSourceId, log: node.changes, seal: node.seal)
        await settings.turns.run { await settings.lookIntoLog() }
        try accept(settings.state, place: settings.place)
        let token: StartToken
        do {
            token = try await prepare(store, configuration)
        } catch let error as Refusal {
            throw WorkspaceError(.cluster, error.message)
        }
        let engine = ClusterEngine(node: node, settings: settings)
        return try Workspace(configuration, store, engine, token: token, onReady: onReady)
    }

    /// A node that has settings serves apps with them, also when it cannot follow now.
    /// - Parameter place: the place of the last change that it has applied; 0 for none.
    static func accept(_ state: SharedSettings.State, place: UInt64) throws(WorkspaceError) {
        switch state {
        case .diverged(let reason): throw WorkspaceError(.cluster, reason)
        case .away(let reason) where place == 0:
            throw WorkspaceError(.cluster, "the log of the settings cannot be used: \(reason)")
        case .outdated(let reason) where place == 0: throw WorkspaceError(.cluster, reason)
        case .starting, .following, .away, .outdated: break
        }
    }

    /// Makes the sources and the token that the configuration names. An existing source or token is not changed.
    private static func prepare(_ store: Store, _ configuration: WorkspaceConfiguration) async throws -> StartToken {
        let (keys, now) = (configuration.writeKeys, configuration.environment.now())
        if let bad = keys.first(where: { !WriteKey.isValid($0) }) {
            throw WorkspaceError(.writeKey, "\"\(bad)\" is no write key: \(WriteKey.rule)")
        }
        try await store.addSources(keys, now: now)
        guard let chosen = configuration.adminToken else {
            guard try store.adminToken() == nil else { return .kept }
            throw WorkspaceError(
                .adminToken,
                "the first node of a cluster needs an admin token: put one into TRIBUTARY_ADMIN_TOKEN, or a file with it into "
                    + "--admin-token-file")
        }
        let digest = try AdminToken(chosen: chosen).digest
        let stored = try store.adminToken()
        guard stored != digest else { return .kept }
        try await store.replaceAdminToken(by: digest, now: now)
        return stored == nil ? .kept : .replaced
    }
}
