/// Makes an integration when the settings have its key.
///
/// Factories are usually constants (`static let singleton`), so they are `Sendable`.
public protocol SEGIntegrationFactory: Sendable {
    /// Makes the integration, once for each client, on a background thread; nil when the settings do not allow it.
    /// - Parameter settings: the value of the key in the settings document.
    func create(withSettings settings: [AnyHashable: Any], for analytics: Analytics) -> (any Integration)?
    /// The name of the destination in settings, in `integrations` and in filters.
    func key() -> String
}
