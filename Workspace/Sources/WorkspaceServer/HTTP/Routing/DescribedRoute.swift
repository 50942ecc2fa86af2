/// Names routes in one way, whether their parameters stand in braces, as in the description of the HTTP API, or behind
/// colons, as in the router.
enum DescribedRoute {
    static func address(_ method: String, _ path: String) -> String {
        let steps = path.split(separator: "/").map { $0.hasPrefix("{") || $0.hasPrefix(":") ? "*" : $0 }
        return "\(method) /\(steps.joined(separator: "/"))"
    }
}
