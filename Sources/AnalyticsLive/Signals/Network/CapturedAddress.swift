import Foundation

/// The parts of an address for the rules.
struct CapturedAddress: Sendable {
    let host: [UInt8]
    let port: Int
    let path: [UInt8]

    /// - Returns: nil when the address is not HTTP or has no host.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host.map({ HostPattern.normalized($0) }), !host.isEmpty
        else { return nil }
        self.host =
            host.first == UInt8(ascii: "[") || !host.contains(UInt8(ascii: ":"))
            ? host : [UInt8(ascii: "[")] + host + [UInt8(ascii: "]")]
        port = url.port ?? (scheme == "https" ? 443 : 80)
        path = [UInt8](url.path.utf8)
    }
}
