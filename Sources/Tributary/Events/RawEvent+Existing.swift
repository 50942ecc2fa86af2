public import TributaryJSON

extension RawEvent {
    /// A copy of the event.
    public init(existing: Self) { self = existing }

    /// Takes over the ids, the time, the context and the integrations of another event.
    ///
    /// An event with a user id of its own keeps it.
    fileprivate mutating func takeOver(_ existing: any RawEvent) {
        for key in ["messageId", "anonymousId", "timestamp", "context", "integrations", "_metadata"] {
            if let value = existing.json[key] { json[key] = value }
        }
        if userId == nil { userId = existing.userId }
    }
}

extension RawEvent {
    /// The event in place of another event. It takes over ids, time, context and integrations that it does not have.
    /// Nil when it is of none of the five types.
    func replacing(_ event: any RawEvent) -> (any RawEvent)? {
        guard var known = EventParser.event(json) else { return nil }
        known.enrichments = enrichments
        for key in ["messageId", "anonymousId", "userId", "timestamp", "context", "integrations", "_metadata"] {
            if known.json[key] == nil, let value = event.json[key] { known.json[key] = value }
        }
        return known
    }
}

extension TrackEvent {
    /// A track event in the place of another event: its ids, time, context and integrations stay.
    public init(event: String, properties: JSON?, existing: any RawEvent) {
        self.init(event: event, properties: properties)
        takeOver(existing)
    }
}

extension IdentifyEvent {
    /// An identify event in place of another event: the ids, time, context and integrations of that event stay. The
    /// user id stays only when none is given.
    public init(userId: String? = nil, traits: JSON?, existing: any RawEvent) {
        self.init(userId: userId, traits: traits)
        takeOver(existing)
    }
}

extension ScreenEvent {
    /// A screen event in the place of another event: its ids, time, context and integrations stay.
    public init(title: String?, category: String? = nil, properties: JSON? = nil, existing: any RawEvent) {
        self.init(title: title, category: category, properties: properties)
        takeOver(existing)
    }
}

extension GroupEvent {
    /// A group event in the place of another event: its ids, time, context and integrations stay.
    public init(groupId: String?, traits: JSON? = nil, existing: any RawEvent) {
        self.init(groupId: groupId, traits: traits)
        takeOver(existing)
    }
}

extension AliasEvent {
    /// An alias event in place of another event: the ids, time, context and integrations of that event stay, except for
    /// the new id.
    public init(newId: String, previousId: String?, existing: any RawEvent) {
        self.init(newId: newId, previousId: previousId)
        takeOver(existing)
    }
}
