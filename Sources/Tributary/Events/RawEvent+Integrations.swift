public import TributaryJSON

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

    /// An event with the ids, the time, the context and the integrations of another one.
    mutating func takeOver(_ existing: any RawEvent) {
        for key in ["messageId", "anonymousId", "userId", "timestamp", "context", "integrations", "_metadata"] {
            if let value = existing.json[key] { json[key] = value }
        }
    }
}

extension TrackEvent {
    /// A track event in the place of another event: its ids, time, context and integrations stay.
    public init(event: String, properties: JSON?, existing: any RawEvent) {
        self.init(event: event, properties: properties)
        takeOver(existing)
    }
}
