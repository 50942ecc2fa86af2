/// Adds the advertising id, when the app provides one: `context.device.advertisingId`.
///
/// Unchecked because everything is constant except `analytics`, which is set once, before the first event.
final class AdvertisingContext: Plugin, @unchecked Sendable {
    let type = PluginType.before
    let name = "AdvertisingContext"
    weak var analytics: Analytics?
    private let configuration: AnalyticsConfiguration

    /// - Returns: nil when the app does not provide the id.
    init?(_ configuration: AnalyticsConfiguration) {
        guard configuration.adSupportBlock != nil else { return nil }
        self.configuration = configuration
    }

    func execute<Event: RawEvent>(event: Event) -> Event? {
        guard configuration.enableAdvertisingTracking, let identifier = configuration.adSupportBlock?() else {
            return event
        }
        var event = event
        var context = event.context?.objectValue ?? [:]
        var device = context["device"]?.objectValue ?? [:]
        device["adTrackingEnabled"] = .bool(!identifier.isEmpty)
        if !identifier.isEmpty { device["advertisingId"] = .string(identifier) }
        context["device"] = .object(device)
        event.context = .object(context)
        return event
    }
}
