import AnalyticsCompat

/// Makes the integration of what the settings have under `Example`.
public final class ExampleIntegrationFactory: SEGIntegrationFactory {
    /// What an app hands to `AnalyticsConfiguration.use(_:)`.
    public static let singleton = ExampleIntegrationFactory()

    public func create(withSettings settings: [AnyHashable: Any], for analytics: Analytics) -> (any Integration)? {
        guard let token = settings["token"] as? String else { return nil }
        return ExampleIntegration(service: ExampleService(token: token))
    }

    public func key() -> String { "Example" }
}
