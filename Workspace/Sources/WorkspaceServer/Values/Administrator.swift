/// The author of a change, for the audit log.
enum Administrator: String, Sendable {
    /// Whoever started the server, with what the command line says.
    case server
    /// Somebody with the admin token: a command, a script.
    case token
    /// Somebody who logged in on the page.
    case login

    /// The one whose request is being answered.
    @TaskLocal static var current = Administrator.server
}
