import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension AnalyticsConfiguration {
    /// The equivalent `Configuration`.
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
        // analytics-ios encrypted its files in the same way.
        if let crypto { configuration.migrationDecrypting { crypto.decrypt($0) } }
        if let requestFactory { configuration.requestFactory { Self.made(by: requestFactory, of: $0) } }
        return configuration
    }

    /// The lifecycle events of analytics-ios.
    private static let lifecycleEvents: TrackedLifecycleEvent = [
        .applicationInstalled, .applicationUpdated, .applicationOpened, .applicationBackgrounded,
    ]

    /// Builds a request with the app's factory. The app chooses the address and adds header fields; the client's own
    /// header fields stay.
    private static func made(by factory: SEGRequestFactory, of request: URLRequest) -> URLRequest {
        guard let url = request.url else { return request }
        let made = factory(url)
        var result = request
        result.url = made.url ?? url
        for (name, value) in made.allHTTPHeaderFields ?? [:] where result.value(forHTTPHeaderField: name) == nil {
            result.setValue(value, forHTTPHeaderField: name)
        }
        return result
    }

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
