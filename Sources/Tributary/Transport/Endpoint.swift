import Foundation

/// Addresses of a server, from a host and path as configurations give them.
struct Endpoint: Sendable, Equatable {
    /// Scheme, host and path without a slash at the end.
    let base: String

    /// `https` unless the text names a scheme; nil when no address can be made of it.
    init?(_ text: String) {
        var base = text.contains("://") ? text : "https://" + text
        while base.hasSuffix("/") { base.removeLast() }
        guard let url = URL(string: base), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host?.isEmpty == false
        else { return nil }
        self.base = base
    }

    func url(_ path: String) -> URL? { URL(string: base + "/" + path) }

    /// `GET …/projects/{writeKey}/settings`.
    func settingsURL(writeKey: String) -> URL? {
        let key = writeKey.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? writeKey
        return url("projects/\(key)/settings")
    }
}
