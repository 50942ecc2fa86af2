/// The author of a change, for the audit log.
struct Administrator: Sendable, Equatable {
    /// The way in which a change came.
    enum Way: String, Sendable {
        /// The command line of the server.
        case server
        /// A request with a token: a command, a script.
        case token
        /// A request with a login on the page.
        case login
        /// A roll-out with a plan, by what devices reported.
        case rollout
    }

    let way: Way
    /// The name of the token of the request or of the login; nil for the admin token and the server.
    var token: String?
    /// The rights of the request.
    var role = Role.administer

    static let server = Administrator(way: .server)
    static let rollout = Administrator(way: .rollout)

    /// The author of the request that is answered now.
    @TaskLocal static var current = Administrator.server
}
