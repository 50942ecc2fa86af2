import WorkspaceCore

/// Settings that a running server takes over when their files are replaced.
public struct RenewedSettings: Sendable {
    /// Certificate and key for https; nil keeps the present ones.
    public var tls: TLSIdentity?
    /// The admin token; nil keeps the present one. A different token ends all logins.
    public var adminToken: String?
    /// The token that is valid only for reading metrics; nil keeps the present one.
    public var metricsToken: String?

    /// Settings that were read again.
    public init(tls: TLSIdentity? = nil, adminToken: String? = nil, metricsToken: String? = nil) {
        (self.tls, self.adminToken, self.metricsToken) = (tls, adminToken, metricsToken)
    }
}

/// The reaction of a server to SIGHUP.
public enum HangUp: Sendable {
    /// It stops gracefully, because the terminal that it was started in was closed.
    case stop
    /// It reads certificates and tokens of files again.
    case renew(@Sendable () throws -> RenewedSettings)
}
