import TributaryJSON

extension RawEvent {
    /// Lets a destination see this event.
    public mutating func enableIntegration(key: String) { choose([(key, true)]) }

    /// Keeps this event from a destination.
    public mutating func disableIntegration(key: String) { choose([(key, false)]) }

    /// Lets all destinations see this event but those.
    public mutating func enableCloudIntegrations(exceptKeys: [String]? = nil) {
        integrations = [:]
        choose([("All", true)] + (exceptKeys ?? []).map { ($0, false) })
    }

    /// Keeps this event from all destinations but those. The server is told of it all the same, because it may serve one
    /// of those.
    public mutating func disableCloudIntegrations(exceptKeys: [String]? = nil) {
        integrations = [:]
        choose([("All", false)] + (exceptKeys ?? []).map { ($0, true) })
    }

    private mutating func choose(_ choices: [(key: String, isChosen: Bool)]) {
        var members = integrations?.objectValue ?? JSONObject()
        for choice in choices { members[choice.key] = .bool(choice.isChosen) }
        integrations = .object(members)
    }
}
