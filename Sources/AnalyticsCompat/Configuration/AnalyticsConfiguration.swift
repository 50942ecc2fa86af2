public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Makes the request for an address, so that an app can send it elsewhere or add header fields.
public typealias SEGRequestFactory = @Sendable (URL) -> NSMutableURLRequest
/// Returns the advertising id.
public typealias SEGAdSupportBlock = @Sendable () -> String

/// The configuration of a client with the interface of analytics-ios.
///
/// ```swift
/// let config = AnalyticsConfiguration(writeKey: "KEY")
/// config.trackApplicationLifecycleEvents = true
/// Analytics.setup(with: config)
/// ```
///
/// The client reads middleware, integrations, hosts, storage and the interval of flushes when it is made. Changes of
/// `flushAt`, the `track…` options and `payloadFilters` take effect at once. May be used from any thread.
///
/// Unchecked because what changes is behind the lock.
public final class AnalyticsConfiguration: @unchecked Sendable {
    private struct Values {
        var flushAt = 20
        var flushInterval: TimeInterval = 30
        var maxQueueSize = 1000
        var trackApplicationLifecycleEvents = false
        var recordScreenViews = false
        var trackInAppPurchases = false
        var trackPushNotifications = false
        var trackDeepLinks = false
        var shouldUseLocationServices = false
        var shouldUseBluetooth = false
        var enableAdvertisingTracking = true
        var adSupportBlock: SEGAdSupportBlock?
        var launchOptions: [AnyHashable: Any]?
        var requestFactory: SEGRequestFactory?
        var crypto: (any SEGCrypto)?
        var defaultSettings: [String: Any]?
        var sourceMiddleware: [any Middleware]?
        var destinationMiddleware: [DestinationMiddleware]?
        var edgeFunctionMiddleware: (any EdgeFunctionMiddleware)?
        var application: (any ApplicationProtocol)?
        var payloadFilters = [#"(fb\d+://authorize#access_token=)([^ ]+)"#: "$1((redacted/fb-auth-token))"]
        var httpSessionDelegate: (any URLSessionDelegate)?
        var factories: [any SEGIntegrationFactory] = []
        var changes: [@Sendable (Configuration) -> Void] = []
        var clients: [WeakClient] = []
    }

    private struct WeakClient {
        weak var client: Analytics?
    }

    private let values = LockBox(Values())

    /// The source that events belong to.
    public let writeKey: String
    /// The host that the app named; nil uses the settings.
    let defaultAPIHost: URL?
    /// Experimental options, which may be removed in a later version.
    public let experimental = AnalyticsExperimental()

    /// A configuration with the defaults that each option documents.
    /// - Parameter defaultAPIHost: the host for events as long as the settings name no host.
    public init(writeKey: String, defaultAPIHost: URL? = nil) {
        self.writeKey = writeKey
        self.defaultAPIHost = defaultAPIHost
    }

    /// The host for events as long as the settings name no host. Default: `https://api.segment.io/v1`.
    public var apiHost: URL { defaultAPIHost ?? Self.stockHost }

    // A constant that is an address.
    private static let stockHost = URL(string: "https://api.segment.io/v1") ?? URL(fileURLWithPath: "/")

    /// The number of events that starts a delivery. Default: 20.
    public var flushAt: Int {
        get { values.withLock { $0.flushAt } }
        set {
            let clients = values.withLock { values in
                values.flushAt = newValue
                return values.clients
            }
            for client in clients { client.client?.flushAt = max(1, newValue) }
        }
    }
    /// Seconds after an event until it is delivered. Default: 30.
    public var flushInterval: TimeInterval {
        get { values.withLock { $0.flushInterval } }
        set { values.withLock { $0.flushInterval = newValue } }
    }
    /// The largest number of waiting events; beyond, the oldest are dropped. Default: 1,000.
    public var maxQueueSize: Int {
        get { values.withLock { $0.maxQueueSize } }
        set { values.withLock { $0.maxQueueSize = newValue } }
    }
    /// Whether "Application Installed", "Updated", "Opened" and "Backgrounded" are tracked. Default: false.
    public var trackApplicationLifecycleEvents: Bool {
        get { values.withLock { $0.trackApplicationLifecycleEvents } }
        set { values.withLock { $0.trackApplicationLifecycleEvents = newValue } }
    }
    /// Whether each view controller that appears makes a screen event (iOS, tvOS). Default: false.
    public var recordScreenViews: Bool {
        get { values.withLock { $0.recordScreenViews } }
        set { values.withLock { $0.recordScreenViews = newValue } }
    }
    /// Whether purchases in the app make "Order Completed" (Apple's systems). Default: false.
    public var trackInAppPurchases: Bool {
        get { values.withLock { $0.trackInAppPurchases } }
        set { values.withLock { $0.trackInAppPurchases = newValue } }
    }
    /// Whether notifications are tracked. Default: false, because their content is often personal.
    public var trackPushNotifications: Bool {
        get { values.withLock { $0.trackPushNotifications } }
        set { values.withLock { $0.trackPushNotifications = newValue } }
    }
    /// Whether links that open the app are tracked. Default: false.
    public var trackDeepLinks: Bool {
        get { values.withLock { $0.trackDeepLinks } }
        set { values.withLock { $0.trackDeepLinks = newValue } }
    }
    /// Has no effect, as in the last versions of analytics-ios. Default: false.
    public var shouldUseLocationServices: Bool {
        get { values.withLock { $0.shouldUseLocationServices } }
        set { values.withLock { $0.shouldUseLocationServices = newValue } }
    }
    /// Has no effect, as in the last versions of analytics-ios. Default: false.
    public var shouldUseBluetooth: Bool {
        get { values.withLock { $0.shouldUseBluetooth } }
        set { values.withLock { $0.shouldUseBluetooth = newValue } }
    }
    /// Whether the id from `adSupportBlock` goes into the context. Default: true.
    public var enableAdvertisingTracking: Bool {
        get { values.withLock { $0.enableAdvertisingTracking } }
        set { values.withLock { $0.enableAdvertisingTracking = newValue } }
    }
    /// Returns the advertising id. Called on the client's executor. Default: none.
    public var adSupportBlock: SEGAdSupportBlock? {
        get { values.withLock { $0.adSupportBlock } }
        set { values.withLock { $0.adSupportBlock = newValue } }
    }
    /// The launch options of the app; they show whether a notification launched it.
    public var launchOptions: [AnyHashable: Any]? {
        get { values.withLock { $0.launchOptions } }
        set { values.withLock { $0.launchOptions = newValue } }
    }
    /// Makes the requests for events and settings. Default: plain ones.
    public var requestFactory: SEGRequestFactory? {
        get { values.withLock { $0.requestFactory } }
        set { values.withLock { $0.requestFactory = newValue } }
    }
    /// Encrypts the events on disk. Default: none. `AESGCMCipher` of `TributaryEncryption` is the better choice for new
    /// apps.
    public var crypto: (any SEGCrypto)? {
        get { values.withLock { $0.crypto } }
        set { values.withLock { $0.crypto = newValue } }
    }
    /// The settings document that applies until one is received. Default: the server and no integration.
    public var defaultSettings: [String: Any]? {
        get { values.withLock { $0.defaultSettings } }
        set { values.withLock { $0.defaultSettings = newValue } }
    }
    /// Sees every call, in this order, before anything else. Default: none.
    public var sourceMiddleware: [any Middleware]? {
        get { values.withLock { $0.sourceMiddleware } }
        set { values.withLock { $0.sourceMiddleware = newValue } }
    }
    /// The former name of `sourceMiddleware`.
    @available(*, deprecated, renamed: "sourceMiddleware")
    public var middlewares: [any Middleware]? {
        get { sourceMiddleware }
        set { sourceMiddleware = newValue }
    }
    /// Middleware for single destinations. Default: none.
    public var destinationMiddleware: [DestinationMiddleware]? {
        get { values.withLock { $0.destinationMiddleware } }
        set { values.withLock { $0.destinationMiddleware = newValue } }
    }
    /// Middleware that is made from the settings; setting it replaces all other middleware. Default: none.
    public var edgeFunctionMiddleware: (any EdgeFunctionMiddleware)? {
        get { values.withLock { $0.edgeFunctionMiddleware } }
        set {
            values.withLock { values in
                values.edgeFunctionMiddleware = newValue
                values.sourceMiddleware = newValue?.sourceMiddleware
                values.destinationMiddleware = newValue?.destinationMiddleware
            }
        }
    }
    /// Grants the client time when the app goes to the background. Default: the system's own mechanism, which also
    /// works in extensions.
    public var application: (any ApplicationProtocol)? {
        get { values.withLock { $0.application } }
        set { values.withLock { $0.application = newValue } }
    }
    /// The filters for links: regular expressions and their replacements. Default: removes the access token of one
    /// social network.
    public var payloadFilters: [String: String] {
        get { values.withLock { $0.payloadFilters } }
        set { values.withLock { $0.payloadFilters = newValue } }
    }
    /// Answers questions about certificates and passwords of requests (Apple's systems). Default: the system decides.
    public var httpSessionDelegate: (any URLSessionDelegate)? {
        get { values.withLock { $0.httpSessionDelegate } }
        set { values.withLock { $0.httpSessionDelegate = newValue } }
    }

    /// Registers a factory, which makes an integration when the settings have its key.
    public func use(_ factory: any SEGIntegrationFactory) { values.withLock { $0.factories.append(factory) } }

    /// Sets options that only `Configuration` has; these changes are applied last.
    ///
    /// ```swift
    /// let config = AnalyticsConfiguration(writeKey: "KEY")
    /// config.configure { $0.cdnHost("analytics.example.com/v1").consent(.pending) }
    /// ```
    public func configure(_ change: @escaping @Sendable (Configuration) -> Void) {
        values.withLock { $0.changes.append(change) }
    }

    var factories: [any SEGIntegrationFactory] { values.withLock { $0.factories } }
    var changes: [@Sendable (Configuration) -> Void] { values.withLock { $0.changes } }

    /// Applies later changes of some options to this client.
    func attach(_ client: Analytics) {
        values.withLock { values in
            values.clients.removeAll { $0.client == nil }
            values.clients.append(WeakClient(client: client))
        }
    }
}
