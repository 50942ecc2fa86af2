import HTTPTypes
import Hummingbird

/// Scheme, host and port as the client wrote them, so that addresses in answers lead back here.
enum RequestOrigin {
    static func of(_ request: Request) throws(APIError) -> String {
        guard let authority = request.head.authority, !authority.isEmpty, authority.utf8.allSatisfy(isHostByte) else {
            throw .badRequest("the Host header is missing or is not a host")
        }
        return "\(isSecure(request) ? "https" : "http")://\(authority)"
    }

    /// Whether the client speaks https, to this server or to a proxy in front that says so.
    static func isSecure(_ request: Request) -> Bool {
        request.head.scheme == "https"
            || request.headers[named: "X-Forwarded-Proto"]?.lowercased() == "https"
    }

    /// Names, numbers, ports and bracketed IPv6 addresses; nothing that could end the host in a URL.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
