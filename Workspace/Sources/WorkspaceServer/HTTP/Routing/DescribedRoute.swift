import WorkspaceCore

/// Gives a route one name. The description of the HTTP API has parameters in braces, the router has them after colons.
enum DescribedRoute {
    static func address(_ method: String, _ path: String) -> String {
        let steps = path.split(separator: "/").map { $0.hasPrefix("{") || $0.hasPrefix(":") ? "*" : $0 }
        return "\(method) /\(steps.joined(separator: "/"))"
    }
}
