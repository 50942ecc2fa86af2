import TributaryJSON

@testable import WorkspaceCore

extension Store {
    /// The newest entries of the audit log.
    func newestAudit(of writeKey: String? = nil, limit: Int) async throws -> [JSON] {
        var query = AuditQuery()
        (query.writeKey, query.limit) = (writeKey, limit)
        return try await audit(query).entries
    }
}
