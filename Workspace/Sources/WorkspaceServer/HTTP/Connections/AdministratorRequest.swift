import NIOHTTP1

/// Whether a request may be one of an administrator. The head alone decides, before anything else is read; whether the token
/// is right is checked later, as always.
enum AdministratorRequest {
    static func isOne(_ head: HTTPRequestHead) -> Bool {
        // These answers last long, so a few of them would take all places.
        guard !["/api/stream", "/api/wait-for-event"].contains(where: { head.uri.hasPrefix($0) }) else { return false }
        if head.method == .POST, head.uri == "/login" { return true }
        return head.headers["Authorization"].contains { $0.lowercased().hasPrefix("bearer ") }
            || head.headers["Cookie"].contains { $0.contains(name) }
    }

    /// The prefix of the name of a login's cookie.
    private static let name = "tributary-session"
}
