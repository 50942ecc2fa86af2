import WorkspaceCore

/// The address under which clients reach the workspace, set by its operator: `https://stats.example.com`.
struct PublicURL: Sendable, Equatable {
    /// Scheme, host and port.
    let text: String
    let isSecure: Bool
    /// Host and port, in small letters.
    let authority: String
    let host: String

    init(_ text: String) throws(WorkspaceError) {
        let address: ServiceAddress
        do throws(ServiceAddress.Problem) {
            address = try ServiceAddress(text)
        } catch {
            throw Self.invalid(text, ": \(error)")
        }
        guard ["", "/"].contains(address.target) else { throw Self.invalid(text, "") }
        host = address.host
        authority = address.authority
        isSecure = address.scheme == "https"
        self.text = address.origin
    }

    private static func invalid(_ text: String, _ reason: String) -> WorkspaceError {
        WorkspaceError(
            .address,
            "the public address \"\(text)\" is not of the form https://stats.example.com or …:8443\(reason)")
    }
}
