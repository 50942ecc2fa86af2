import Hummingbird
import WorkspaceCore

/// The place that a reader gets to see after logging in.
struct LoginTarget: Sendable, Equatable {
    /// The places of the page besides the events at `/`.
    static let places = [
        "access", "audit", "board", "catalog", "cluster", "destinations", "explore", "filters", "live-plugins",
        "people", "plan", "problems", "sessions", "sources", "sql",
    ]

    /// The path with its query, such as `/live-plugins?source=KEY`.
    let address: String

    static let events = LoginTarget(address: "/")

    private init(address: String) { self.address = address }

    /// The place that a request names.
    init(of request: Request) { self.init(request.uri.description) }

    /// The place with an address. Anything but a place of this workspace becomes the events, so the address of a login never
    /// leads to another site.
    init(_ text: String) {
        let path = text.prefix { $0 != "?" }
        let isPlace = path.hasPrefix("/") && Self.places.contains(String(path.dropFirst()))
        let isView = path == "/" && text.count > 1 || Self.isEvent(path)
        let isPlain = text.utf8.count <= Limits.loginTarget && text.utf8.allSatisfy { 0x21...0x7e ~= $0 }
        self = (isPlace || isView) && isPlain ? LoginTarget(address: text) : .events
    }

    /// Whether a path is that of one event: `/events/ID`, with the id in one encoded step. A browser takes steps of points for
    /// other places, and a backslash for a slash.
    private static func isEvent(_ path: Substring) -> Bool {
        let start = "/events/"
        let id = path.dropFirst(start.count)
        return path.hasPrefix(start) && !["", ".", ".."].contains(id) && !id.contains { $0 == "/" || $0 == "\\" }
    }

    /// The address of the login page that leads to the place.
    var login: String {
        self == .events ? "/login" : "/login?to=\(address.addingPercentEncoding())"
    }
}

extension String {
    /// The text as a value in a query.
    fileprivate func addingPercentEncoding() -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
        return utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }
}
