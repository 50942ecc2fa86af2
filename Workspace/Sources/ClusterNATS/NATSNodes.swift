import TributaryJSON
package import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// Nodes ask one another over a subject of NATS. Nothing is stored: a node that does not answer counts as away.
package struct NATSNodes: NodeDirectory {
    private let connection: NATSConnection
    private let subject: String

    /// - Parameter subject: one for each cluster; letters, digits, `_` and `.`.
    package init(_ connection: NATSConnection, subject: String) {
        (self.connection, self.subject) = (connection, subject)
    }

    package func answer(with report: @escaping @Sendable () -> NodeReport) throws {
        try connection.answer(subject) { report().json.encoded() }
    }

    package func nodes(within duration: Duration) async throws -> [NodeReport] {
        var reports: [NodeReport] = []
        try await connection.ask(subject, [], within: duration) { message in
            if let json = try? JSON.parse(message.bytes), let report = NodeReport(json) { reports.append(report) }
            return true
        }
        return reports
    }
}
