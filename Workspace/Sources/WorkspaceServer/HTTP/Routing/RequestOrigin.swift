import HTTPTypes
import Hummingbird

/// Scheme, host and port under which clients reach this server, so that addresses in answers lead back here.
///
/// The operator may say it. Else it is what the request says: its Host header, and https when this server speaks it or a
/// trusted proxy in front says that it does. What a stranger writes into `X-Forwarded-Proto` counts for nothing.
struct RequestOrigin: Sendable {
    let publicURL: PublicURL?
    let proxies: TrustedProxies

    func of(_ request: Request, _ context: WorkspaceContext) -> String {
        if let publicURL { return publicURL.text }
        return "\(isSecure(request, context) ? "https" : "http")://\(request.head.authority ?? "localhost")"
    }

    /// Whether the client speaks https, to this server or to a proxy.
    func isSecure(_ request: Request, _ context: WorkspaceContext) -> Bool {
        if let publicURL { return publicURL.isSecure }
        guard request.head.scheme != "https" else { return true }
        guard proxies.isTrusted(context), let name = HTTPField.Name("X-Forwarded-Proto") else { return false }
        // The last word is that of the proxy itself.
        let words = request.headers[values: name].joined(separator: ",").split(separator: ",")
        return words.last?.trimmingPrefix(" ").lowercased() == "https"
    }

    /// How long an answer that holds the origin may be kept. One that depends on what the request says is for its sender
    /// alone: a cache that many share could give it to others.
    func caching(seconds: Int) -> HTTPFields {
        if publicURL != nil { return [.cacheControl: "public, max-age=\(seconds)"] }
        return [.cacheControl: "private, max-age=\(seconds)", .vary: "Host, X-Forwarded-Proto"]
    }

    /// A browser sends cookies by itself, so what changes something must come from the page of this workspace.
    /// - Throws: when a page of another origin sends the request.
    func checkSender(_ request: Request) throws(APIError) {
        guard let origin = request.headers[.origin] else { return }
        let authority = origin.lowercased().split(separator: "://", maxSplits: 1).last.map(String.init)
        guard let authority, [request.head.authority?.lowercased(), publicURL?.authority].contains(authority) else {
            throw APIError(.forbidden, "a page of \(origin) may not change this workspace")
        }
    }
}
