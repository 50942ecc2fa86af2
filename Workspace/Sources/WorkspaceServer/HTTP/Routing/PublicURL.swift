package import WorkspaceCore

/// The address under which clients reach the workspace, set by its operator: `https://stats.example.com`, or a path of a site,
/// `https://example.com/stats`.
///
/// A site with the workspace below a path has the same origin as the workspace, so a script of the site could act with the
/// login of an operator. Such an address is for clients alone: the page and the administration do not answer there.
package struct PublicURL: Sendable, Equatable {
    /// Scheme, host and port, and the path if there is one. There is no slash at the end.
    let text: String
    let isSecure: Bool
    /// Host and port, in small letters.
    let authority: String
    let host: String
    /// Whether the workspace has only a path of the host, and other pages have the rest.
    let isPathOfSite: Bool

    package init(_ text: String) throws(WorkspaceError) {
        let address: ServiceAddress
        do throws(ServiceAddress.Problem) {
            address = try ServiceAddress(text)
        } catch {
            throw Self.invalid(text, ": \(error)")
        }
        let path = address.target.hasSuffix("/") ? address.target.dropLast() : address.target[...]
        guard Self.isPath(path) else { throw Self.invalid(text, "") }
        host = address.host
        authority = address.authority
        isSecure = address.scheme == "https"
        isPathOfSite = !path.isEmpty
        self.text = address.origin + path
    }

    /// The address under which people open the page; nil when it is not this one.
    package var consoleURL: String? { isPathOfSite ? nil : text }

    /// Whether proxies and clients all read a path alike: steps of letters, digits and `-._~`, each after one slash.
    private static func isPath(_ text: Substring) -> Bool {
        text.split(separator: "/", omittingEmptySubsequences: false).enumerated().allSatisfy { index, step in
            if index == 0 { return step.isEmpty }
            return !["", ".", ".."].contains(step)
                && step.utf8.allSatisfy { $0.isAlphanumeric || "-._~".utf8.contains($0) }
        }
    }

    private static func invalid(_ text: String, _ reason: String) -> WorkspaceError {
        WorkspaceError(
            .address,
            "the public address \"\(text)\" is not of the form https://stats.example.com, …:8443 or "
                + "https://example.com/stats\(reason)")
    }
}
