public import Foundation

/// Sends events to a service: a device-mode destination of analytics-ios.
///
/// Every function is optional. The functions are called on the integration's own queue, one after the other and never
/// on the main thread. All of them may call `Analytics`.
public protocol Integration: AnyObject {
    /// The user was identified.
    func identify(_ payload: IdentifyPayload)
    /// The app tracked an event.
    func track(_ payload: TrackPayload)
    /// The user saw a screen.
    func screen(_ payload: ScreenPayload)
    /// The user belongs to a group.
    func group(_ payload: GroupPayload)
    /// The user has a further id.
    func alias(_ payload: AliasPayload)
    /// The client was reset.
    func reset()
    /// The integration should send its waiting events.
    func flush()

    /// A notification arrived.
    func receivedRemoteNotification(_ userInfo: [AnyHashable: Any])
    /// The app cannot get notifications.
    func failedToRegisterForRemoteNotificationsWithError(_ error: any Error)
    /// The app can get notifications. Default: calls the function with the name of older documentation.
    func registeredForRemoteNotifications(withDeviceToken deviceToken: Data)
    /// The app can get notifications, under the name of older documentation. Default: nothing.
    func registerForRemoteNotifications(withDeviceToken deviceToken: Data, options: [AnyHashable: Any])
    /// The user chose an action of a notification.
    func handleAction(withIdentifier identifier: String, forRemoteNotification userInfo: [AnyHashable: Any])

    /// The app was launched.
    func applicationDidFinishLaunching(_ notification: Notification)
    /// The app is in the background.
    func applicationDidEnterBackground()
    /// The app is about to come to the foreground.
    func applicationWillEnterForeground()
    /// The app is about to end.
    func applicationWillTerminate()
    /// The user can no longer act in the app.
    func applicationWillResignActive()
    /// The user can act in the app.
    func applicationDidBecomeActive()

    /// The app continues an activity.
    func `continue`(_ activity: UserActivity)
    /// The app was opened with an address.
    func open(_ url: URL, options: [AnyHashable: Any])
}

extension Integration {
    public func identify(_ payload: IdentifyPayload) {}
    public func track(_ payload: TrackPayload) {}
    public func screen(_ payload: ScreenPayload) {}
    public func group(_ payload: GroupPayload) {}
    public func alias(_ payload: AliasPayload) {}
    public func reset() {}
    public func flush() {}
    public func receivedRemoteNotification(_ userInfo: [AnyHashable: Any]) {}
    public func failedToRegisterForRemoteNotificationsWithError(_ error: any Error) {}
    public func registeredForRemoteNotifications(withDeviceToken deviceToken: Data) {
        registerForRemoteNotifications(withDeviceToken: deviceToken, options: [:])
    }
    public func registerForRemoteNotifications(withDeviceToken deviceToken: Data, options: [AnyHashable: Any]) {}
    public func handleAction(withIdentifier identifier: String, forRemoteNotification userInfo: [AnyHashable: Any]) {}
    public func applicationDidFinishLaunching(_ notification: Notification) {}
    public func applicationDidEnterBackground() {}
    public func applicationWillEnterForeground() {}
    public func applicationWillTerminate() {}
    public func applicationWillResignActive() {}
    public func applicationDidBecomeActive() {}
    public func `continue`(_ activity: UserActivity) {}
    public func open(_ url: URL, options: [AnyHashable: Any]) {}
}
