/// A closure as an enrichment plugin. Returning nil drops the event.
public final class ClosureEnrichment: Plugin {
    public let type = PluginType.enrichment
    public let name = "enrichment closure"
    public weak var analytics: Analytics?
    private let closure: EnrichmentClosure

    /// A plugin that calls the closure with every event.
    public init(closure: @escaping EnrichmentClosure) { self.closure = closure }

    public func execute(event: BaseEvent) -> BaseEvent? { closure(event) }
}
