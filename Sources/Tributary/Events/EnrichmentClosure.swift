/// Changes the event of one call, or drops it by returning nil. It runs after the enrichment plugins.
///
/// The client calls it on its executor, not on the thread of the call.
public typealias EnrichmentClosure = @Sendable (_ event: (any RawEvent)?) -> (any RawEvent)?
