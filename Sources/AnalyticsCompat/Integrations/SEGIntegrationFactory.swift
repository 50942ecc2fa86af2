/// Makes an integration when the settings have its key.
///
/// Factories are kept in constants (`static let singleton`), so they are `Sendable`.
public protocol SEGIntegrationFactory: Sendable {
    /// Makes the integration, once for each client, on a background thread; nil when it cannot be made of these settings.
    /// - Parameter settings: what the settings document has under the key.
    func create(withSettings settings: [AnyHashable: Any], for analytics: Analytics) -> (any Integration)?
    /// The name of the destination in settings, in `integrations` and in filters.
    func key() -> String
}
