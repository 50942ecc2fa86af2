package import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// The observed state of the servers that keep the log of a cluster.
package struct LogFacts: Sendable, Equatable {
    /// A server as it introduces itself to clients.
    package struct Server: Sendable, Equatable {
        /// The host and the port that an operator named.
        package let address: String
        /// Why the server did not introduce itself; nil when it did.
        package var failure: String?
        package var id = ""
        package var name = ""
        package var version = ""
        /// The name of the group of servers; empty for a server that is alone.
        package var cluster = ""
        package var mostBytes = 0
        package var keepsStreams = false
        /// The servers of the group that clients may connect to.
        package var group: [String] = []

        package init(_ address: String) { self.address = address }
    }

    /// A server as its monitoring shows it.
    package struct Monitor: Sendable, Equatable {
        package let address: String
        /// Why the server does not answer; nil when it did.
        package var failure: String?
        package var id = ""
        package var name = ""
        package var keepsStreams = false
        /// Whether each record is synced before it is acknowledged.
        package var isAlwaysSynced = false
        /// Nanoseconds between two syncs when records are not always synced; nil when the server does not show it.
        package var syncInterval: Int64?

        package init(_ address: String) { self.address = address }
    }

    /// A stream of the cluster.
    package struct Stream: Sendable, Equatable {
        package let name: String
        /// The settings that safety needs.
        package let wanted: JSONObject
        /// The stream's settings; nil when there is no such stream.
        package var found: JSON?
        /// Replicas that do not have all records now.
        package var behind: [String] = []
        /// Why no server described the stream; nil when a server did.
        package var failure: String?

        package init(_ name: String, wanted: JSONObject) { (self.name, self.wanted) = (name, wanted) }
    }

    package var servers: [Server] = []
    package var monitors: [Monitor] = []
    package var streams: [Stream] = []

    package init() {}
}
