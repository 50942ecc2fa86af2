import WorkspaceCore
import WorkspaceServer

extension Store {
    /// The store of a node that shares the settings of a cluster.
    ///
    /// `SharedSettings.follow()` has to run for the node to get the changes of other nodes.
    static func ofCluster(
        _ databases: StoreDatabases, storage: any EventStorage,
        makeSourceId: @escaping @Sendable () -> Int64 = WorkspaceEnvironment.randomSourceId,
        log: any ChangeLog, seal: ChangeSeal, options: SharedSettings.Options = SharedSettings.Options()
    ) -> (store: Store, settings: SharedSettings) {
        let settings = SharedSettings(
            databases.pool, log: log, seal: seal, logger: databases.logger, options: options)
        return (Store(databases, storage: storage, settings: settings, makeSourceId: makeSourceId), settings)
    }
}
