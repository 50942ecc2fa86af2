import HTTPTypes
import Hummingbird
import WorkspaceCore

/// The methods of each path of the server.
///
/// A path is split as the router splits it, so a doubled or a closing slash makes no difference.
struct RouteTable: Sendable {
    private struct Route {
        /// Nil for a step that matches any text.
        let steps: [Substring?]
        let method: HTTPRequest.Method
    }

    private let routes: [Route]
    /// The paths without a variable step, as routes have them. Most requests are for one of them.
    private let plainPaths: Set<String>

    init(_ router: Router<WorkspaceContext>) {
        self.init(router.routes.map { ($0.method, "\($0.path)") })
    }

    /// - Parameter routes: paths. A step in braces or after a colon matches any text.
    init(_ routes: [(method: HTTPRequest.Method, path: String)]) {
        self.routes = routes.map { method, path in
            let steps = path.split(separator: "/").map { $0.hasPrefix("{") || $0.hasPrefix(":") ? nil : $0 }
            return Route(steps: steps, method: method)
        }
        let plain = self.routes.filter { !$0.steps.contains(nil) }
        plainPaths = Set(plain.map { "/" + $0.steps.compactMap(\.self).joined(separator: "/") })
    }

    /// The methods of a path, sorted by name; none when there is no such path. Where there is GET, there is HEAD.
    func methods(of path: String) -> [HTTPRequest.Method] {
        let steps = path.split(separator: "/")
        let found = routes.filter { route in
            route.steps.count == steps.count && zip(route.steps, steps).allSatisfy { $0 == nil || $0 == $1 }
        }
        var methods = Set(found.map(\.method))
        if methods.contains(.get) { methods.insert(.head) }
        return methods.sorted { $0.rawValue < $1.rawValue }
    }

    func has(_ path: String) -> Bool { plainPaths.contains(path) || !methods(of: path).isEmpty }
}
