extension Analytics {
    /// Tracks an event with its members as properties.
    public func track<Event: AnalyticsEvent>(
        _ event: Event, options: EventOptions? = nil, enrichments: [EnrichmentClosure]? = nil
    ) {
        track(name: Event.name, properties: event, options: options, enrichments: enrichments)
    }
}
