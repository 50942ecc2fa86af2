/// The author of a change, for the audit log.
struct Administrator: Sendable, Equatable {
    /// How a change comes in.
    enum Way: String, Sendable {
        /// The command line of the server.
        case server
        /// A request with a token: a command, a script.
        case token
        /// A request of somebody who logged in on the page.
        case login
    }

    let way: Way
    /// The name of the token, also of the one that a login was made with; nil for the admin token and the server.
    var token: String?

    static let server = Administrator(way: .server)

    /// The one whose request is being answered.
    @TaskLocal static var current = Administrator.server
}
