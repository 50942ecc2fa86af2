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
