import Logging
import WorkspaceCore
import WorkspaceServer

extension Store {
    /// Opens the databases of a node that shares the settings of a cluster.
    ///
    /// `SharedSettings.follow()` has to run for the node to get the changes of other nodes.
    /// - Throws: `WorkspaceError`, as on one machine.
    static func ofCluster(
        folder: DataFolder, logger: Logger = Logger(label: "tributary.store") { _ in SwiftLogNoOpLogHandler() },
        makeSourceId: @escaping @Sendable () -> Int64 = WorkspaceEnvironment.randomSourceId,
        storage: (any EventStorage)? = nil, schema: SchemaHistory = Schema.history, log: any ChangeLog,
        seal: ChangeSeal,
        options: SharedSettings.Options = SharedSettings.Options()
    ) throws(WorkspaceError) -> (store: Store, settings: SharedSettings) {
        var shared: SharedSettings?
        let store = try Store(
            folder: folder, logger: logger, makeSourceId: makeSourceId, storage: storage, schema: schema
        ) { pool in
            let settings = SharedSettings(pool, log: log, seal: seal, logger: logger, options: options)
            shared = settings
            return settings
        }
        guard let shared else { throw WorkspaceError(.dataFolder, "the settings of the cluster were not opened") }
        return (store, shared)
    }
}
