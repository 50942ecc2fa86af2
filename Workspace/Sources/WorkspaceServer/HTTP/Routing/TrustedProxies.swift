import HTTPTypes
import Hummingbird
import WorkspaceCore

/// Finds the client of a request, also behind proxies that the operator named.
struct TrustedProxies: Sendable {
    /// As bytes, because an address has several texts: `::1` and `0:0:0:0:0:0:0:1`. A server that listens on IPv6 sees a proxy
    /// with an IPv4 address as `::ffff:10.0.0.2`, which is the same address.
    private let addresses: Set<[UInt8]>

    /// - Parameter addresses: the trusted proxies.
    /// - Throws: `WorkspaceError` for a text that is no address. It would trust no proxy, and nothing would say so.
    init(_ addresses: [String]) throws(WorkspaceError) {
        var known: Set<[UInt8]> = []
        for address in addresses {
            guard let bytes = IPAddress.plainBytes(of: address) else {
                throw WorkspaceError(
                    .address,
                    "the trusted proxy \"\(address)\" is no address: give the one from which it connects, such as 10.0.0.2, "
                        + "not a name or a network")
            }
            known.insert(bytes)
        }
        self.addresses = known
    }

    private func isKnown(_ address: String) -> Bool {
        IPAddress.plainBytes(of: address).map(addresses.contains) ?? false
    }

    /// The address of the client. The list in the header is read from its end, and only as far as each address in it is
    /// a trusted proxy, so a client cannot forge its address.
    func client(of request: Request, _ context: WorkspaceContext) -> String? {
        guard let peer = context.remoteAddress?.ipAddress else { return nil }
        let name = HTTPField.Name("X-Forwarded-For")
        return client(peer: peer, forwarded: name.map { request.headers[values: $0] } ?? [])
    }

    /// Whether the other end of the connection is one of them.
    func isTrusted(_ context: WorkspaceContext) -> Bool {
        context.remoteAddress?.ipAddress.map(isKnown) ?? false
    }

    func client(peer: String, forwarded: [String]) -> String {
        var client = peer
        var hops = forwarded.joined(separator: ",").split(separator: ",")[...]
        while isKnown(client), let hop = hops.popLast() {
            let address = hop.filter { $0 != " " }
            guard IPAddress.bytes(of: address) != nil else { break }
            client = address
        }
        return client
    }
}
