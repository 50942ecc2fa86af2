/// Changes or drops (by returning nil) the event of one call; runs after the enrichment plugins.
///
/// It is called on the client's executor, not on the thread of the call.
public typealias EnrichmentClosure = @Sendable (_ event: (any RawEvent)?) -> (any RawEvent)?
