import Foundation

/// The addresses for events and for settings.
struct ServerAddress: Sendable, Equatable {
    let apiHost: String
    let cdnHost: String

    /// A workspace has both under `/v1`. For other servers each can be named on its own.
    init(server: String, apiHost: String?, cdnHost: String?) throws(InputProblem) {
        let base = server.hasSuffix("/") ? String(server.dropLast()) : server
        self.apiHost = try Self.checked(apiHost ?? base + "/v1")
        self.cdnHost = try Self.checked(cdnHost ?? base + "/v1")
    }

    private static func checked(_ text: String) throws(InputProblem) -> String {
        let whole = text.contains("://") ? text : "https://" + text
        guard let url = URL(string: whole), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host, !host.isEmpty
        else { throw InputProblem("'\(text)' is not the address of a server (http://HOST:PORT)") }
        return text
    }
}
