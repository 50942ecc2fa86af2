import AnalyticsCompat

/// Takes users to a service that wants to know nothing else.
public final class ExampleIntegration: Integration {
    private let service: ExampleService

    init(service: ExampleService) { self.service = service }

    // Called on the integration's own queue, one call after the other.
    public func identify(_ payload: IdentifyPayload) {
        service.remember(payload.userId, name: payload.traits?["name"] as? String)
    }

    public func reset() { service.forget() }
}
