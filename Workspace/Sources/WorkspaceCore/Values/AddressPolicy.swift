package import TributaryJSON

/// The treatment of the IP address of an event (`context.ip`).
package enum AddressPolicy: String, Sendable, CaseIterable {
    /// Stores what the client sent and adds nothing. This is the default.
    case asSent
    /// Stores what the client sent. When the client sent no address, adds the address of its connection.
    case keep
    /// As `keep`, but shortens the address to its network: /24 of IPv4, /48 of IPv6.
    case truncate
    /// Stores no address.
    case drop

    package init(_ json: JSON) throws(Refusal) {
        guard let policy = json.stringValue.flatMap(AddressPolicy.init(rawValue:)) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("ip is one of \(names)")
        }
        self = policy
    }

    /// The network of an address; nil when the text is no address.
    package static func network(of text: String) -> String? {
        guard var bytes = IPAddress.plainBytes(of: text) else { return nil }
        for index in bytes.indices where index >= (bytes.count == 4 ? 3 : 6) { bytes[index] = 0 }
        return IPAddress.text(of: bytes)
    }
}
