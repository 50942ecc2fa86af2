import Foundation
import WorkspaceCore

/// A path of a client without a route, and the path that was probably meant.
struct UnknownPath: Sendable, Hashable {
    private static let hiddenKey = "{writeKey}"
    private static let settings = "/v1/projects/\(hiddenKey)/settings"

    let method: String
    /// The path, with a sign in the place of the write key.
    let path: String
    /// The write key in the path; nil for a path that has none.
    let key: String?

    init(method: String, path: String) {
        self.method = method
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let place = parts.firstIndex(of: "projects").map({ $0 + 1 }), parts.indices.contains(place),
            !parts[place].isEmpty
        else {
            self.path = path
            key = nil
            return
        }
        key = parts[place].removingPercentEncoding ?? parts[place]
        parts[place] = Self.hiddenKey
        self.path = parts.joined(separator: "/")
    }

    var reason: String { "there is no \(method) \(path)" }

    /// The path that was probably meant, for an operator; nil when no path is like it.
    var guess: String? {
        guard let meant else { return nil }
        let isOfMethod = meant.method == method
        guard meant.path != path || !isOfMethod else { return nil }
        return "here it is \(isOfMethod ? "" : meant.method + " ")\(meant.path)"
    }

    private var meant: (method: String, path: String)? {
        if key != nil { return ("GET", Self.settings) }
        guard let last = path.split(separator: "/").last.map(String.init) else { return nil }
        if IngestRoutes.paths.contains("/v1/\(last)") { return ("POST", "/v1/\(last)") }
        let names = IngestRoutes.paths.compactMap { $0.hasPrefix("/v1/") ? String($0.dropFirst(4)) : nil }
        let like = names.sorted().filter { KeyGuess.slip(from: $0, to: last) != nil }
        // A letter too much or too few at the end is the most likely slip: /v1/tracks.
        let begins = like.first { last.hasPrefix($0) || $0.hasPrefix(last) }
        return (begins ?? like.first).map { ("POST", "/v1/\($0)") }
    }
}
