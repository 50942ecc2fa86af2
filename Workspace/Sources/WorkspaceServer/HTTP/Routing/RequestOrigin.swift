import HTTPTypes
import Hummingbird
import WorkspaceCore

/// Scheme, host and port under which clients reach this server, so that addresses in answers lead back here. With a public
/// address below a path of a site, also that path.
///
/// The operator may set it. Otherwise it comes from the request: its Host header, and https when this server or a
/// trusted proxy in front uses it. `X-Forwarded-Proto` of any other client is ignored.
struct RequestOrigin: Sendable {
    let publicURL: PublicURL?
    let proxies: TrustedProxies

    func of(_ request: Request, _ context: WorkspaceContext) -> String {
        if let publicURL { return publicURL.text }
        return "\(isSecure(request, context) ? "https" : "http")://\(request.head.authority ?? "localhost")"
    }

    /// Whether the client uses https, to this server or to a proxy.
    func isSecure(_ request: Request, _ context: WorkspaceContext) -> Bool {
        if let publicURL, !publicURL.isPathOfSite { return publicURL.isSecure }
        guard request.head.scheme != "https" else { return true }
        guard proxies.isTrusted(context), let name = HTTPField.Name("X-Forwarded-Proto") else { return false }
        // The last value is the proxy's own.
        let words = request.headers[values: name].joined(separator: ",").split(separator: ",")
        return words.last?.trimmingPrefix(" ").lowercased() == "https"
    }

    /// How long caches may keep an answer that contains the origin. When the origin comes from the request, only its
    /// requester may keep it: a shared cache could give it to others.
    func caching(seconds: Int) -> HTTPFields {
        if publicURL != nil { return [.cacheControl: "public, max-age=\(seconds)"] }
        return [.cacheControl: "private, max-age=\(seconds)", .vary: "Host, X-Forwarded-Proto"]
    }

    /// A browser sends cookies by itself, so a request that changes something must come from the page of this
    /// workspace.
    /// - Throws: when a page of another origin sends the request.
    func checkSender(_ request: Request) throws(Refusal) {
        guard let origin = request.headers[.origin] else { return }
        let authority = origin.lowercased().split(separator: "://", maxSplits: 1).last.map(String.init)
        let known = publicURL.flatMap { $0.isPathOfSite ? nil : $0.authority }
        guard let authority, [request.head.authority?.lowercased(), known].contains(authority) else {
            throw Refusal(.forbidden, "a page of \(origin) may not change this workspace")
        }
    }
}
