import WorkspaceCore
import WorkspaceServer

/// The settings that go with an insert.
enum ClickHouseInsert {
    /// The settings with the first version that takes them.
    ///
    /// `StoreUserCheck` checks whether a profile forbids one of them.
    /// - Parameters:
    ///   - version: the main version of the server.
    ///   - quorum: the number of replicas that have to take the rows.
    ///   - token: the text by which newer servers recognise the block. Servers would take a different block with the
    ///     same token for a repetition and not store it, so the token is a digest of the rows.
    static func settings(version: Int, quorum: Int, token: String) -> [String: String] {
        var settings = ["max_insert_block_size": "\(ClickHouseTable.rowsInBlock)"]
        if quorum > 1 {
            settings["insert_quorum"] = "\(quorum)"
            settings["insert_quorum_timeout"] = "8000"
        }
        if version >= 21 {
            settings["async_insert"] = "0"
            settings["insert_quorum_parallel"] = "0"
            settings["insert_deduplication_token"] = token
            // Servers refuse rows of more than 100 partitions otherwise, and a partition is a day.
            settings["max_partitions_per_insert_block"] = "0"
        }
        if version >= keeperRetries {
            // A server without ZooKeeper would try for a minute. The client asks the next server at once.
            settings["insert_keeper_max_retries"] = "0"
        }
        return settings
    }

    /// The first version whose servers repeat requests to ZooKeeper within an insert.
    static let keeperRetries = 23
}
