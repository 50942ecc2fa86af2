import AnalyticsCompat
public import Foundation

/// The configuration of a client, for Objective-C.
@objc(SEGAnalyticsConfiguration)
public final class ObjCConfiguration: NSObject {
    let configuration: AnalyticsConfiguration

    private init(writeKey: String) { configuration = AnalyticsConfiguration(writeKey: writeKey) }

    @objc(configurationWithWriteKey:) public static func configuration(writeKey: String) -> ObjCConfiguration {
        ObjCConfiguration(writeKey: writeKey)
    }
    /// The name of older documentation.
    @objc(withWriteKey:) public static func with(writeKey: String) -> ObjCConfiguration {
        ObjCConfiguration(writeKey: writeKey)
    }

    @objc(writeKey) public var writeKey: String { configuration.writeKey }
    @objc(flushAt) public var flushAt: Int {
        get { configuration.flushAt }
        set { configuration.flushAt = newValue }
    }
    @objc(flushInterval) public var flushInterval: TimeInterval {
        get { configuration.flushInterval }
        set { configuration.flushInterval = newValue }
    }
    @objc(maxQueueSize) public var maxQueueSize: Int {
        get { configuration.maxQueueSize }
        set { configuration.maxQueueSize = newValue }
    }
    @objc(trackApplicationLifecycleEvents) public var trackApplicationLifecycleEvents: Bool {
        get { configuration.trackApplicationLifecycleEvents }
        set { configuration.trackApplicationLifecycleEvents = newValue }
    }
    @objc(recordScreenViews) public var recordScreenViews: Bool {
        get { configuration.recordScreenViews }
        set { configuration.recordScreenViews = newValue }
    }
    @objc(trackInAppPurchases) public var trackInAppPurchases: Bool {
        get { configuration.trackInAppPurchases }
        set { configuration.trackInAppPurchases = newValue }
    }
    @objc(trackPushNotifications) public var trackPushNotifications: Bool {
        get { configuration.trackPushNotifications }
        set { configuration.trackPushNotifications = newValue }
    }
    @objc(trackDeepLinks) public var trackDeepLinks: Bool {
        get { configuration.trackDeepLinks }
        set { configuration.trackDeepLinks = newValue }
    }
    @objc(launchOptions) public var launchOptions: [AnyHashable: Any]? {
        get { configuration.launchOptions }
        set { configuration.launchOptions = newValue }
    }
    @objc(defaultSettings) public var defaultSettings: [String: Any]? {
        get { configuration.defaultSettings }
        set { configuration.defaultSettings = newValue }
    }
    @objc(payloadFilters) public var payloadFilters: [String: String] {
        get { configuration.payloadFilters }
        set { configuration.payloadFilters = newValue }
    }
    @objc(sourceMiddleware) public var sourceMiddleware: [any ObjCMiddleware]? {
        get { configuration.sourceMiddleware?.compactMap { ($0 as? MiddlewareAdapter)?.middleware } }
        set { configuration.sourceMiddleware = newValue?.map(MiddlewareAdapter.init) }
    }

    @objc(use:) public func use(_ factory: any ObjCIntegrationFactory) { configuration.use(FactoryAdapter(factory)) }
}
