import CLibPQ
import WorkspaceCore

/// The client library of PostgreSQL, when the system has it.
struct LibPQ: Sendable {
    // A table of functions of a library that is never unloaded; nothing changes it.
    let functions: tributary_libpq

    /// Looked for once, when the first destination needs it.
    private static let shared: LibPQ? = {
        var functions = tributary_libpq()
        return tributary_libpq_load(&functions) == 1 ? LibPQ(functions: functions) : nil
    }()

    static func loaded() throws(PostgresError) -> LibPQ {
        guard let shared else {
            throw PostgresError(
                "this server has no libpq, the library of PostgreSQL's clients; install it (on Debian and Ubuntu: "
                    + "apt install libpq5) and start the server again")
        }
        return shared
    }
}
