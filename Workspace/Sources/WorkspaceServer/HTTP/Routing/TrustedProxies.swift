import HTTPTypes
import Hummingbird

/// Finds the client of a request, also behind proxies that the operator named.
struct TrustedProxies: Sendable {
    private let addresses: Set<String>

    /// - Parameter addresses: the trusted proxies.
    init(_ addresses: [String]) { self.addresses = Set(addresses) }

    /// The address of the client. The list in the header is read from its end, and only as far as each address in it is
    /// a trusted proxy, so a client cannot forge its address.
    func client(of request: Request, _ context: WorkspaceContext) -> String? {
        guard let peer = context.remoteAddress?.ipAddress else { return nil }
        let name = HTTPField.Name("X-Forwarded-For")
        return client(peer: peer, forwarded: name.map { request.headers[values: $0] } ?? [])
    }

    /// Whether the other end of the connection is one of them.
    func isTrusted(_ context: WorkspaceContext) -> Bool {
        context.remoteAddress?.ipAddress.map(addresses.contains) ?? false
    }

    func client(peer: String, forwarded: [String]) -> String {
        var client = peer
        var hops = forwarded.joined(separator: ",").split(separator: ",")[...]
        while addresses.contains(client), let hop = hops.popLast() {
            let address = hop.filter { $0 != " " }
            guard IPAddress.bytes(of: address) != nil else { break }
            client = address
        }
        return client
    }
}
