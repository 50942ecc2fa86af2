import TributaryJSON

/// Steps about what events are forwarded to.
extension ConfigChange {
    /// What is done before the filters are changed, and what after: at no time does a destination get events that the
    /// old rules and the new ones both hold back from it. Nil says nothing of destinations.
    static func destinations(
        _ before: JSONObject?, _ after: JSONObject?
    ) -> (beforeFilters: [ConfigChange], afterFilters: [ConfigChange]) {
        guard let after else { return ([], []) }
        let before = before ?? JSONObject()
        var first: [ConfigChange] = []
        var last: [ConfigChange] = []
        // One of another kind is another destination.
        for (name, old) in before where after[name]?["kind"] != old["kind"] { first.append(.removeDestination(name)) }
        for (name, new) in after where before[name] != new {
            guard let old = before[name], old["kind"] == new["kind"] else {
                last.append(.addDestination(name, new))
                continue
            }
            let change = ConfigChange.changeDestination(name, new, before: old)
            if new["enabled"]?.boolValue == false { first.append(change) } else { last.append(change) }
        }
        return (first, last)
    }

    /// What it is, for people.
    func destinationLines(_ style: OutputStyle) -> [String] {
        switch self {
        case .addDestination(let name, let new):
            return [style.good("  + destination \(name.printable)")] + style.difference([:], new).map { "  " + $0 }
        case .changeDestination(let name, let new, let old):
            return ["  destination \(name.printable)"] + style.difference(old, new).map { "  " + $0 }
        case .removeDestination(let name):
            return [style.bad("  - destination \(name.printable), its secret, what waits for it and its dead letters")]
        default: return []
        }
    }

    /// Does it.
    /// - Parameter client: speaks to the source.
    /// - Returns: the secret of a new destination, with its name.
    func applyToDestination(of writeKey: String, _ client: AdministrationClient) async throws -> String? {
        let path = "destinations"
        switch self {
        case .addDestination(let name, let new):
            let answer = try await client.below(path, named: name).send("PUT", "", new)
            guard let secret = answer["secret"]?.stringValue else { return nil }
            return "secret of the destination \(name.printable) of \(writeKey), shown only now: \(secret)"
        case .changeDestination(let name, let new, _):
            try await client.below(path, named: name).send("PUT", "", new)
        case .removeDestination(let name): _ = try await client.delete(path, named: name)
        default: break
        }
        return nil
    }
}
