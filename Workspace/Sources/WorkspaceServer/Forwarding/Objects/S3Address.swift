import Foundation

/// Where an object of a bucket is.
struct S3Address: Sendable, Equatable {
    let address: ServiceAddress
    /// The value of the header `Host`.
    let host: String
    /// The path of the address, percent-encoded as the signature wants it.
    let path: String

    /// - Parameter name: of the object.
    /// - Throws: when bucket and endpoint together are no name of a host.
    init(_ name: String, _ settings: S3Settings) throws(ServiceAddress.Problem) {
        let endpoint = settings.endpoint
        // A client does not send the usual port of a scheme.
        let usual = endpoint.scheme == "https" ? ":443" : ":80"
        let authority =
            endpoint.authority.hasSuffix(usual) && endpoint.port != nil
            ? String(endpoint.authority.dropLast(usual.count)) : endpoint.authority
        if settings.pathStyle {
            (host, path) = (authority, "/\(settings.bucket)/\(Self.encoded(name))")
        } else {
            (host, path) = ("\(settings.bucket).\(authority)", "/\(Self.encoded(name))")
        }
        address = try ServiceAddress("\(endpoint.scheme)://\(host)").with(target: path)
    }

    /// Percent-encodes every byte that is no letter, digit, `-`, `.`, `_`, `~` or slash.
    static func encoded(_ name: String) -> String {
        name.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
}
