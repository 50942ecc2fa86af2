extension Analytics {
    /// Tracks an event. Its members become the properties.
    public func track<Event: AnalyticsEvent>(
        _ event: Event, options: EventOptions? = nil, enrichments: [EnrichmentClosure]? = nil
    ) {
        track(name: Event.name, properties: event, options: options, enrichments: enrichments)
    }
}
