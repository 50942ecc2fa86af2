extension Settings {
    /// The options of a destination, decoded, for its plugin.
    public func integrationSettings<Value: Decodable>(forPlugin plugin: any DestinationPlugin) -> Value? {
        integrationSettings(forKey: plugin.key)
    }

    /// Whether the integrations have an entry for the plugin's key, even `false`.
    public func hasIntegrationSettings(forPlugin plugin: any DestinationPlugin) -> Bool {
        hasIntegrationSettings(key: plugin.key)
    }
}
