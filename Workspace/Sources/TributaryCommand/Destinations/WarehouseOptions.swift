import ArgumentParser
import TributaryJSON
import WorkspaceCore

/// The options of a destination that loads a database.
struct WarehouseOptions: ParsableArguments {
    @Option(help: "Database that gets the tables; in ClickHouse tributary when it was never set.")
    var database: String?

    @Option(help: "Schema of the tables in PostgreSQL, which is made if needed; tributary when it was never set.")
    var schema: String?

    @Option(help: "User of the database; in ClickHouse default when it was never set.")
    var user: String?

    @Option(help: "Port of PostgreSQL's server; 5432 when it was never set.")
    var port: Int?

    @Option(
        help: """
            How the connection to PostgreSQL is protected: verify (the server proves its name), require (encrypted, any server) or \
            disable; verify when it was never set.
            """)
    var tls: String?

    @Option(help: "Seconds that a statement may take, 1 to 3600; 60 when it was never set.")
    var statementTimeout: Int?

    var isEmpty: Bool { isForAllDatabases && [database, user].allSatisfy { $0 == nil } && statementTimeout == nil }

    /// Whether no option is for PostgreSQL alone.
    var isForAllDatabases: Bool { [schema, tls].allSatisfy { $0 == nil } && port == nil }

    /// Writes the given options into settings.
    func apply(to settings: inout JSONObject) {
        for (name, value) in [("database", database), ("schema", schema), ("user", user), ("tls", tls)] {
            if let value { settings[name] = .string(value) }
        }
        if let port { settings["port"] = .number(port) }
        if let statementTimeout { settings["timeoutSeconds"] = .number(statementTimeout) }
    }
}
