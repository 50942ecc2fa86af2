import Foundation
import TributaryJSON
import WorkspaceCore

/// The settings of a destination that loads a PostgreSQL database.
struct PostgresSettings: Sendable, Equatable {
    /// How the connection is protected.
    enum Protection: String, Sendable, CaseIterable {
        /// Not at all.
        case disable
        /// Encrypted, with any server.
        case require
        /// Encrypted, with the server of the address's name, by a certificate that the system trusts.
        case verify
    }

    /// A name or address, or the folder of a socket.
    let host: String
    let port: Int64
    let database: String
    let schema: String
    let user: String
    let tls: Protection
    /// How long a statement may take.
    let timeoutSeconds: Int64

    private static let members = ["host", "port", "database", "schema", "user", "tls", "timeoutSeconds"]

    /// - Throws: `Refusal` with the first problem.
    init(_ settings: JSONObject) throws(Refusal) {
        let reader = WarehouseSettingsReader(kind: "postgres", settings: settings)
        try reader.check(Self.members)
        host = try Self.host(try reader.text("host"))
        port = try reader.number("port", in: 1...65_535) ?? 5_432
        database = try reader.name("database")
        schema = try reader.name("schema", otherwise: "tributary")
        user = try reader.name("user")
        let modes = Protection.allCases.map(\.rawValue)
        tls =
            try settings.member("tls", "tls is one of \(modes.joined(separator: ", "))") {
                $0.stringValue.flatMap(Protection.init(rawValue:))
            } ?? .verify
        timeoutSeconds = try reader.number("timeoutSeconds", in: 1...3_600) ?? 60
        guard !schema.hasPrefix("pg_"), schema != "information_schema" else {
            throw .invalid("the schema \(schema) belongs to PostgreSQL")
        }
    }

    /// All settings, with the defaults filled in.
    var json: JSONObject {
        [
            "host": .string(host), "port": .number(port), "database": .string(database), "schema": .string(schema),
            "user": .string(user), "tls": .string(tls.rawValue), "timeoutSeconds": .number(timeoutSeconds),
        ]
    }

    /// - Parameter password: empty for a server that asks for none.
    func place(_ key: WarehouseKey, password: [UInt8]) -> PostgresPlace {
        var parameters = [
            ("host", host), ("port", String(port)), ("dbname", database), ("user", user),
            ("application_name", "tributary"), ("client_encoding", "UTF8"), ("gssencmode", "disable"),
            // No other password of the machine's user is tried.
            ("passfile", "/dev/null"), ("password", String(decoding: password, as: UTF8.self)),
        ]
        parameters.append(("sslmode", tls == .verify ? "verify-full" : tls.rawValue))
        if tls == .verify, let bundle = Self.certificates { parameters.append(("sslrootcert", bundle)) }
        return PostgresPlace(
            parameters: parameters.map { (name: $0.0, value: $0.1) }, schema: schema, seconds: timeoutSeconds, key: key)
    }

    /// The certificates that the system trusts. An operator names others by libpq's own variable.
    private static var certificates: String? {
        let environment = ProcessInfo.processInfo.environment
        guard environment["PGSSLROOTCERT"] == nil else { return nil }
        let files = [
            environment["SSL_CERT_FILE"], "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/ssl/cert.pem",
        ]
        return files.compactMap(\.self).first { FileManager.default.isReadableFile(atPath: $0) }
    }

    // MARK: Checks

    private static func host(_ text: String) throws(Refusal) -> String {
        // A comma would name several hosts, and an equals sign is part of no name.
        let isPlain = text.utf8.allSatisfy { 0x21...0x7e ~= $0 && !",=@'\\".utf8.contains($0) }
        guard (1...255).contains(text.utf8.count), isPlain, !text.contains("://") else {
            throw .invalid(
                "host is the name or address of a server, or the folder of its socket, without a scheme, user and port")
        }
        return text
    }
}
