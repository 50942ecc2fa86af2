import Foundation

/// Finds the token for commands: the admin token, or a named one. It is never an argument, because everybody on the machine can read the
/// arguments.
enum TokenSource {
    static let variable = "TRIBUTARY_ADMIN_TOKEN"
    static let clusterKeyVariable = "TRIBUTARY_CLUSTER_KEY"
    static let clusterOldKeysVariable = "TRIBUTARY_CLUSTER_OLD_KEYS"
    static let objectStoreVariable = "TRIBUTARY_S3_SECRET"
    static let postgresVariable = "TRIBUTARY_POSTGRES_PASSWORD"
    static let clickHouseVariable = "TRIBUTARY_CLICKHOUSE_PASSWORD"
    static let openIDVariable = "TRIBUTARY_OIDC_CLIENT_SECRET"
    static let metricsVariable = "TRIBUTARY_METRICS_TOKEN"

    /// The token of a file, else of the environment; nil when there is neither.
    static func token(
        file: String?, variable: String = variable,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Failure) -> String? {
        let token = try file.map { file throws(Failure) in try read(file) } ?? environment[variable]
        guard let token, !token.isEmpty else { return nil }
        // It becomes a header.
        guard token.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw Failure(
                "the token in \(file?.printable ?? variable) has spaces, line breaks or letters beyond ASCII, which no token "
                    + "has; was something else put there, or more than the token?")
        }
        return token
    }

    /// The keys of a file, one in each line, else those of the environment, with white space between them.
    static func keys(
        file: String?, variable: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Failure) -> [String] {
        let keys =
            if let file {
                try read(file).split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            } else {
                (environment[variable] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
            }
        return keys.filter { !$0.isEmpty }
    }

    private static func read(_ file: String) throws(Failure) -> String {
        let text = String(decoding: try InputFile.read(file), as: UTF8.self)
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
