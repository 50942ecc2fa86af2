import AnalyticsCompat
public import Foundation

#if canImport(ObjectiveC)
import ObjectiveC
#endif

/// Passes events to a service, for Objective-C.
@objc(SEGIntegration)
public protocol ObjCIntegration: NSObjectProtocol {
    @objc(identify:) optional func identify(_ payload: ObjCIdentifyPayload)
    @objc(track:) optional func track(_ payload: ObjCTrackPayload)
    @objc(screen:) optional func screen(_ payload: ObjCScreenPayload)
    @objc(group:) optional func group(_ payload: ObjCGroupPayload)
    @objc(alias:) optional func alias(_ payload: ObjCAliasPayload)
    @objc(reset) optional func reset()
    @objc(flush) optional func flush()
    @objc(receivedRemoteNotification:) optional func receivedRemoteNotification(_ userInfo: [AnyHashable: Any])
    @objc(failedToRegisterForRemoteNotificationsWithError:)
    optional func failedToRegisterForRemoteNotificationsWithError(_ error: any Error)
    @objc(registeredForRemoteNotificationsWithDeviceToken:)
    optional func registeredForRemoteNotifications(withDeviceToken deviceToken: Data)
    /// The name of older documentation, for an integration that has it only.
    @objc(registerForRemoteNotificationsWithDeviceToken:options:)
    optional func registerForRemoteNotifications(withDeviceToken deviceToken: Data, options: [AnyHashable: Any])
    @objc(handleActionWithIdentifier:forRemoteNotification:)
    optional func handleAction(withIdentifier identifier: String, forRemoteNotification userInfo: [AnyHashable: Any])
    @objc(applicationDidFinishLaunching:) optional func applicationDidFinishLaunching(_ notification: Notification)
    @objc(applicationDidEnterBackground) optional func applicationDidEnterBackground()
    @objc(applicationWillEnterForeground) optional func applicationWillEnterForeground()
    @objc(applicationWillTerminate) optional func applicationWillTerminate()
    @objc(applicationWillResignActive) optional func applicationWillResignActive()
    @objc(applicationDidBecomeActive) optional func applicationDidBecomeActive()
    @objc(continueUserActivity:) optional func continueUserActivity(_ activity: NSUserActivity)
    @objc(openURL:options:) optional func openURL(_ url: URL, options: [AnyHashable: Any])
}

/// Makes an integration of Objective-C.
@objc(SEGIntegrationFactory)
public protocol ObjCIntegrationFactory: NSObjectProtocol {
    @objc(createWithSettings:forAnalytics:)
    func create(settings: [AnyHashable: Any], analytics: ObjCAnalytics) -> (any ObjCIntegration)?
    @objc(key) func key() -> String
}

/// A factory of Objective-C among the client's.
///
/// Unchecked because it holds nothing but the factory, which is called by one thread at a time.
final class FactoryAdapter: SEGIntegrationFactory, @unchecked Sendable {
    private let factory: any ObjCIntegrationFactory

    init(_ factory: any ObjCIntegrationFactory) { self.factory = factory }

    func create(withSettings settings: [AnyHashable: Any], for analytics: Analytics) -> (any Integration)? {
        factory.create(settings: settings, analytics: ObjCAnalytics(analytics)).map(IntegrationAdapter.init)
    }

    func key() -> String { factory.key() }
}

/// An integration of Objective-C among the client's.
final class IntegrationAdapter: Integration {
    private let integration: any ObjCIntegration

    init(_ integration: any ObjCIntegration) { self.integration = integration }

    func identify(_ payload: IdentifyPayload) { integration.identify?(ObjCIdentifyPayload(payload)) }
    func track(_ payload: TrackPayload) { integration.track?(ObjCTrackPayload(payload)) }
    func screen(_ payload: ScreenPayload) { integration.screen?(ObjCScreenPayload(payload)) }
    func group(_ payload: GroupPayload) { integration.group?(ObjCGroupPayload(payload)) }
    func alias(_ payload: AliasPayload) { integration.alias?(ObjCAliasPayload(payload)) }
    func reset() { integration.reset?() }
    func flush() { integration.flush?() }
    func receivedRemoteNotification(_ userInfo: [AnyHashable: Any]) {
        integration.receivedRemoteNotification?(userInfo)
    }
    func failedToRegisterForRemoteNotificationsWithError(_ error: any Error) {
        integration.failedToRegisterForRemoteNotificationsWithError?(error)
    }
    func registeredForRemoteNotifications(withDeviceToken deviceToken: Data) {
        #if canImport(ObjectiveC)
        let current = #selector((any ObjCIntegration).registeredForRemoteNotifications(withDeviceToken:))
        guard integration.responds(to: current) else {
            integration.registerForRemoteNotifications?(withDeviceToken: deviceToken, options: [:])
            return
        }
        #endif
        integration.registeredForRemoteNotifications?(withDeviceToken: deviceToken)
    }
    func handleAction(withIdentifier identifier: String, forRemoteNotification userInfo: [AnyHashable: Any]) {
        integration.handleAction?(withIdentifier: identifier, forRemoteNotification: userInfo)
    }
    func applicationDidFinishLaunching(_ notification: Notification) {
        integration.applicationDidFinishLaunching?(notification)
    }
    func applicationDidEnterBackground() { integration.applicationDidEnterBackground?() }
    func applicationWillEnterForeground() { integration.applicationWillEnterForeground?() }
    func applicationWillTerminate() { integration.applicationWillTerminate?() }
    func applicationWillResignActive() { integration.applicationWillResignActive?() }
    func applicationDidBecomeActive() { integration.applicationDidBecomeActive?() }
    func `continue`(_ activity: UserActivity) { integration.continueUserActivity?(activity) }
    func open(_ url: URL, options: [AnyHashable: Any]) { integration.openURL?(url, options: options) }
}
