import Foundation

extension AnalyticsConfiguration {
    /// The configuration of the client underneath.
    func client() -> Configuration {
        let configuration = Configuration(writeKey: writeKey)
            .flushAt(flushAt).flushInterval(flushInterval)
            .storageLimits(events: max(1, maxQueueSize))
            .setTrackedApplicationLifecycleEvents(trackApplicationLifecycleEvents ? Self.lifecycleEvents : .none)
        if let host = defaultAPIHost { configuration.fallbackAPIHost(host.absoluteString) }
        if let crypto { configuration.storageCipher(CryptoCipher(crypto)) }
        if let settings = completeDefaultSettings { configuration.defaultSettings(settings) }
        #if canImport(Darwin)
        if let httpSessionDelegate { configuration.transport(URLSessionTransport(delegate: httpSessionDelegate)) }
        #endif
        for change in changes { change(configuration) }
        if let requestFactory {
            configuration.wrapTransport { RequestFactoryTransport(factory: requestFactory, next: $0) }
        }
        return configuration
    }

    /// Those that analytics-ios knows.
    private static let lifecycleEvents: TrackedLifecycleEvent = [
        .applicationInstalled, .applicationUpdated, .applicationOpened, .applicationBackgrounded,
    ]

    /// The app's settings; the server is always among the destinations.
    private var completeDefaultSettings: Settings? {
        guard let defaultSettings else { return nil }
        var serialization = Serialization()
        var document = serialization.object(defaultSettings, at: "defaultSettings")
        var integrations = document["integrations"]?.objectValue ?? [:]
        integrations["Segment.io"] = [
            "apiKey": .string(writeKey), "apiHost": .string(apiHost.absoluteString),
        ]
        document["integrations"] = .object(integrations)
        return Settings(document: document)
    }
}
