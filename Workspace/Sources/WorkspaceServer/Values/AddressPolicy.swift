import TributaryJSON

/// What becomes of `context.ip`.
enum AddressPolicy: String, Sendable, CaseIterable {
    /// What a client says stays as it is, and nothing is added: the default, which stores what was sent.
    case asSent
    /// As above, and where a client says nothing, the address of its connection is filled in.
    case keep
    /// As `keep`, shortened to the network: /24 of IPv4, /48 of IPv6.
    case truncate
    /// None is stored, whoever said it.
    case drop

    init(_ json: JSON) throws(APIError) {
        guard let policy = json.stringValue.flatMap(AddressPolicy.init(rawValue:)) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badRequest("ip is one of \(names)")
        }
        self = policy
    }

    /// The network of an address; nil when the text is no address.
    static func network(of text: String) -> String? {
        guard var bytes = IPAddress.bytes(of: text) else { return nil }
        // A client that speaks IPv4 to a server that speaks IPv6.
        if bytes.count == 16, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            bytes = Array(bytes[12...])
        }
        for index in bytes.indices where index >= (bytes.count == 4 ? 3 : 6) { bytes[index] = 0 }
        return IPAddress.text(of: bytes)
    }
}
