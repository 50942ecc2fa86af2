import Foundation

/// Where an object of a bucket is.
struct S3Address: Sendable, Equatable {
    let url: String
    /// The value of the header `Host`.
    let host: String
    /// The path of the address, percent-encoded as the signature wants it.
    let path: String

    /// - Parameter name: of the object.
    init(_ name: String, _ settings: S3Settings) {
        // The endpoint was checked: it has a scheme and a host.
        let parts = settings.endpoint.components(separatedBy: "://")
        let (scheme, authority) = (
            parts[0].lowercased(), Self.authority(parts.last ?? "", scheme: parts[0].lowercased())
        )
        if settings.pathStyle {
            (host, path) = (authority, "/\(settings.bucket)/\(Self.encoded(name))")
        } else {
            (host, path) = ("\(settings.bucket).\(authority)", "/\(Self.encoded(name))")
        }
        url = "\(scheme)://\(host)\(path)"
    }

    /// Host and port. A client does not send the usual port of a scheme.
    private static func authority(_ text: String, scheme: String) -> String {
        let text = text.lowercased()
        let usual = scheme == "https" ? ":443" : ":80"
        return text.hasSuffix(usual) ? String(text.dropLast(usual.count)) : text
    }

    /// Percent-encodes every byte that is no letter, digit, `-`, `.`, `_`, `~` or slash.
    static func encoded(_ name: String) -> String {
        name.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
}
