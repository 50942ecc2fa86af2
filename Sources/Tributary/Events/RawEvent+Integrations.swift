import TributaryJSON

extension RawEvent {
    /// Allows a destination to get this event.
    public mutating func enableIntegration(key: String) { choose([(key, true)]) }

    /// Keeps this event from a destination.
    public mutating func disableIntegration(key: String) { choose([(key, false)]) }

    /// Allows all destinations except these to get this event.
    public mutating func enableCloudIntegrations(exceptKeys: [String]? = nil) {
        integrations = [:]
        choose([("All", true)] + (exceptKeys ?? []).map { ($0, false) })
    }

    /// Keeps this event from all destinations except these. The server still gets the event, because it may serve one
    /// of them.
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
