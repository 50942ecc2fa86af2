/// The author of a change, for the audit log.
package struct Administrator: Sendable, Equatable {
    /// The way in which a change came.
    package enum Way: String, Sendable {
        /// The command line of the server.
        case server
        /// A request with a token: a command, a script.
        case token
        /// A request with a login on the page.
        case login
        /// A roll-out with a plan, by what devices reported.
        case rollout
    }

    package let way: Way
    /// The name of the token of the request or of the login; nil for the admin token and the server.
    package var token: String?
    /// The rights of the request.
    package var role = Role.administer

    package init(way: Way, token: String? = nil, role: Role = Role.administer) {
        (self.way, self.token, self.role) = (way, token, role)
    }

    package static let server = Administrator(way: .server)
    package static let rollout = Administrator(way: .rollout)

    /// The author of the request that is answered now.
    @TaskLocal package static var current = Administrator.server
}
