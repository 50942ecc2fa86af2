public import AnalyticsCompat
public import Foundation

/// A client, for Objective-C.
@objc(SEGAnalytics)
// Unchecked because the client is safe from any thread, and constant here.
public final class ObjCAnalytics: NSObject, @unchecked Sendable {
    /// The client itself.
    public let client: Analytics

    /// The same client for Objective-C.
    public init(_ client: Analytics) { self.client = client }

    @objc(initWithConfiguration:) public convenience init(configuration: ObjCConfiguration) {
        self.init(Analytics(configuration: configuration.configuration))
    }

    @objc(setupWithConfiguration:) public static func setup(with configuration: ObjCConfiguration) {
        Analytics.setup(with: configuration.configuration)
    }
    @objc(sharedAnalytics) public static func shared() -> ObjCAnalytics { ObjCAnalytics(Analytics.shared()) }
    /// The name of older documentation.
    @objc(sharedInstance) public static func sharedInstance() -> ObjCAnalytics { shared() }
    @objc(debug:) public static func debug(_ showDebugLogs: Bool) { Analytics.debug(showDebugLogs) }
    /// The version of the library. Not `version`, which is a method of `NSObject` that returns a number.
    @objc(libraryVersion) public static func libraryVersion() -> String { Analytics.version() }

    @objc(identify:) public func identify(_ userId: String?) { client.identify(userId) }
    @objc(identify:traits:) public func identify(_ userId: String?, traits: [String: Any]?) {
        client.identify(userId, traits: traits)
    }
    @objc(identify:traits:options:)
    public func identify(_ userId: String?, traits: [String: Any]?, options: [String: Any]?) {
        client.identify(userId, traits: traits, options: options)
    }
    @objc(track:) public func track(_ event: String) { client.track(event) }
    @objc(track:properties:) public func track(_ event: String, properties: [String: Any]?) {
        client.track(event, properties: properties)
    }
    @objc(track:properties:options:)
    public func track(_ event: String, properties: [String: Any]?, options: [String: Any]?) {
        client.track(event, properties: properties, options: options)
    }
    @objc(screen:) public func screen(_ screenTitle: String) { client.screen(screenTitle) }
    @objc(screen:properties:) public func screen(_ screenTitle: String, properties: [String: Any]?) {
        client.screen(screenTitle, properties: properties)
    }
    @objc(screen:category:properties:options:)
    public func screen(_ screenTitle: String, category: String?, properties: [String: Any]?, options: [String: Any]?) {
        client.screen(screenTitle, category: category, properties: properties, options: options)
    }
    @objc(group:) public func group(_ groupId: String) { client.group(groupId) }
    @objc(group:traits:) public func group(_ groupId: String, traits: [String: Any]?) {
        client.group(groupId, traits: traits)
    }
    @objc(group:traits:options:)
    public func group(_ groupId: String, traits: [String: Any]?, options: [String: Any]?) {
        client.group(groupId, traits: traits, options: options)
    }
    @objc(alias:) public func alias(_ newId: String) { client.alias(newId) }
    @objc(alias:options:) public func alias(_ newId: String, options: [String: Any]?) {
        client.alias(newId, options: options)
    }

    @objc(receivedRemoteNotification:) public func receivedRemoteNotification(_ userInfo: [AnyHashable: Any]) {
        client.receivedRemoteNotification(userInfo)
    }
    @objc(failedToRegisterForRemoteNotificationsWithError:)
    public func failedToRegisterForRemoteNotificationsWithError(_ error: any Error) {
        client.failedToRegisterForRemoteNotificationsWithError(error)
    }
    @objc(registeredForRemoteNotificationsWithDeviceToken:)
    public func registeredForRemoteNotifications(withDeviceToken deviceToken: Data) {
        client.registeredForRemoteNotifications(withDeviceToken: deviceToken)
    }
    /// The name of older documentation.
    @objc(registerForRemoteNotificationsWithDeviceToken:options:)
    public func registerForRemoteNotifications(withDeviceToken deviceToken: Data, options: [AnyHashable: Any]?) {
        client.registerForRemoteNotifications(withDeviceToken: deviceToken, options: options)
    }
    @objc(handleActionWithIdentifier:forRemoteNotification:)
    public func handleAction(withIdentifier identifier: String, forRemoteNotification userInfo: [AnyHashable: Any]) {
        client.handleAction(withIdentifier: identifier, forRemoteNotification: userInfo)
    }
    @objc(continueUserActivity:) public func continueUserActivity(_ activity: NSUserActivity) {
        client.continue(activity)
    }
    @objc(openURL:options:) public func openURL(_ url: URL, options: [AnyHashable: Any]) {
        client.open(url, options: options)
    }

    @objc(flush) public func flush() { client.flush() }
    @objc(reset) public func reset() { client.reset() }
    @objc(enable) public func enable() { client.enable() }
    @objc(disable) public func disable() { client.disable() }
    @objc(bundledIntegrations) public func bundledIntegrations() -> [String: Any] { client.bundledIntegrations() }
    @objc(getAnonymousId) public func getAnonymousId() -> String { client.getAnonymousId() }
    @objc(getDeviceToken) public func getDeviceToken() -> String { client.getDeviceToken() }
}
