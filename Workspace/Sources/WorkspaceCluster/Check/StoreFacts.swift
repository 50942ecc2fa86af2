import WorkspaceCore
import WorkspaceServer

/// The observed state of the replicas that keep the events of a cluster.
package struct StoreFacts: Sendable, Equatable {
    /// A setting of the user as which a node logs in.
    package struct Setting: Sendable, Equatable {
        package let value: String
        /// Whether a request may not change it.
        package let isFixed: Bool

        package init(_ value: String, isFixed: Bool = false) { (self.value, self.isFixed) = (value, isFixed) }
    }

    /// A server's report about its copy of the table.
    package struct Replica: Sendable, Equatable {
        package var name = ""
        /// The path in ZooKeeper that the replicas share.
        package var path = ""
        package var isReadOnly = false
        package var replicas = 0
        package var activeReplicas = 0
        /// Seconds that the copy is behind.
        package var delay = 0

        package init() {}
    }

    package struct Host: Sendable, Equatable {
        package let address: String
        /// Why the server did not answer; nil when it did.
        package var failure: String?
        package var version = ""
        /// The macro `replica`; nil when there is none.
        package var macro: String?
        /// Why ZooKeeper or Keeper cannot be asked; nil when it can.
        package var keeperFailure: String?
        package var hasKeeper = true
        package var settings: [String: Setting] = [:]
        /// The text after `ENGINE =` in the statement that creates the table; nil when there is no table yet.
        package var engine: String?
        package var columns: [String] = []
        /// The default values of those settings of a table that are numbers.
        package var tableDefaults: [String: Int] = [:]
        package var replica: Replica?
        /// The tables that the user may not read, with the reason.
        package var unseen: [String: String] = [:]

        package init(_ address: String) { self.address = address }
    }

    package var hosts: [Host] = []

    package init() {}
}
