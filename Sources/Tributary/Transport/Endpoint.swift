import Foundation

/// The addresses of a server, from the host and path of a configuration.
struct Endpoint: Sendable, Equatable {
    /// Scheme, host and path without a slash at the end.
    let base: String

    /// Uses `https` unless the text has a scheme; nil when the text is not a valid address.
    init?(_ text: String) {
        var base = text.contains("://") ? text : "https://" + text
        while base.hasSuffix("/") { base.removeLast() }
        guard let url = URL(string: base), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host?.isEmpty == false, Self.hasUsablePort(base)
        else { return nil }
        self.base = base
    }

    /// Whether the text names no port, or one from 1 to 65535. `URL` takes any number, or drops one that is too large.
    private static func hasUsablePort(_ text: String) -> Bool {
        guard let mark = text.range(of: "://") else { return false }
        let authority = text[mark.upperBound...].prefix { !"/?#".contains($0) }
        let end = authority.lastIndex { $0 == "]" || $0 == "@" } ?? authority.startIndex
        guard let colon = authority[end...].firstIndex(of: ":") else { return true }
        return Int(authority[authority.index(after: colon)...]).map((1...65_535).contains) ?? false
    }

    func url(_ path: String) -> URL? { URL(string: base + "/" + path) }

    /// `GET …/projects/{writeKey}/settings`.
    func settingsURL(writeKey: String) -> URL? {
        let key = writeKey.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? writeKey
        return url("projects/\(key)/settings")
    }
}
