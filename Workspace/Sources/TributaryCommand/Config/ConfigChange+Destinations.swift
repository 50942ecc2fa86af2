import TributaryJSON

/// Steps that change the destinations of forwarding.
extension ConfigChange {
    /// The steps before the change of the filters and the steps after it. In this order a destination never gets an
    /// event that both the old and the new rules exclude. Nil keeps the destinations.
    static func destinations(
        _ before: JSONObject?, _ after: JSONObject?
    ) -> (beforeFilters: [ConfigChange], afterFilters: [ConfigChange]) {
        guard let after else { return ([], []) }
        let before = before ?? JSONObject()
        var first: [ConfigChange] = []
        var last: [ConfigChange] = []
        // A destination of another kind is a different destination.
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

    /// The step as a text for people.
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

    /// Takes the step.
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
