import Foundation

/// The address under which clients reach the workspace, set by its operator: `https://stats.example.com`.
struct PublicURL: Sendable, Equatable {
    /// Scheme, host and port.
    let text: String
    let isSecure: Bool
    /// Host and port, in small letters.
    let authority: String
    let host: String

    init(_ text: String) throws(WorkspaceError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil,
            ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil
        else {
            throw WorkspaceError(
                .address, "the public address \"\(text)\" is not of the form https://stats.example.com or …:8443")
        }
        let port = parts.port.map { ":\($0)" } ?? ""
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        authority = (host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host) + port
        isSecure = scheme == "https"
        self.text = "\(scheme)://\(authority)"
    }
}
