/// What a running server takes over from files that are replaced while it runs.
public struct RenewedSettings: Sendable {
    /// Certificate and key for https; nil keeps those that it has.
    public var tls: TLSIdentity?
    /// The admin token; nil keeps the one that it has. Another one ends all logins.
    public var adminToken: String?
    /// The token that is valid only for reading metrics; nil keeps the one that it has.
    public var metricsToken: String?

    /// Settings that were read again.
    public init(tls: TLSIdentity? = nil, adminToken: String? = nil, metricsToken: String? = nil) {
        self.tls = tls
        self.adminToken = adminToken
        self.metricsToken = metricsToken
    }
}

/// What a server does when SIGHUP comes.
public enum HangUp: Sendable {
    /// It stops gracefully, because the terminal that it was started in was closed.
    case stop
    /// It reads certificates and tokens of files again.
    case renew(@Sendable () throws -> RenewedSettings)
}
