/// The author of a change, for the audit log.
package struct Administrator: Sendable, Equatable {
    /// The way in which a change came.
    package enum Way: String, Sendable, CaseIterable {
        /// The command line of the server.
        case server
        /// A request with a token: a command, a script.
        case token
        /// A request with a login on the page.
        case login
        /// A request with a login on the page by a person that a provider of OpenID Connect knows.
        case person
        /// A roll-out with a plan, by what devices reported.
        case rollout
    }

    package let way: Way
    /// The name of the token of the request or of the login, or that of the person; nil for the admin token and the server.
    package var token: String?
    /// The rights of the request.
    package var role = Role.administer
    /// The part of the workspace that the request sees.
    package var sight = Sight.all
    /// When the token of the request ends, in milliseconds since 1970; nil for one without an end.
    package var endsAt: Int64?

    package init(way: Way, token: String? = nil, role: Role = Role.administer, sight: Sight = .all) {
        (self.way, self.token, self.role, self.sight) = (way, token, role, sight)
    }

    package init(way: Way, _ grant: Grant) {
        self.init(way: way, token: grant.name, role: grant.role, sight: grant.sight)
        endsAt = grant.endsAt
    }

    package static let server = Administrator(way: .server)
    package static let rollout = Administrator(way: .rollout)

    /// The author in a sentence.
    package var words: String {
        guard let token else { return way == .token ? "this token" : "this login" }
        return way == .person ? token : "the token \(token)"
    }

    /// The author of the request that is answered now.
    @TaskLocal package static var current = Administrator.server
}
