extension Settings {
    /// A destination's options as a type, by the plugin that it is.
    public func integrationSettings<Value: Decodable>(forPlugin plugin: any DestinationPlugin) -> Value? {
        integrationSettings(forKey: plugin.key)
    }

    /// Whether there is anything of the plugin's key among the integrations, even `false`.
    public func hasIntegrationSettings(forPlugin plugin: any DestinationPlugin) -> Bool {
        hasIntegrationSettings(key: plugin.key)
    }
}
