public import Foundation

/// For plugins that handle push notifications; every function is optional.
///
/// Each function is called on the thread that called the function of `Analytics` with the same name, mostly the main
/// thread.
public protocol RemoteNotifications {
    /// The app can get notifications with this token.
    func registeredForRemoteNotifications(deviceToken: Data)
    /// The app cannot get notifications.
    func failedToRegisterForRemoteNotification(error: (any Error)?)
    /// A notification came.
    func receivedRemoteNotification(userInfo: [AnyHashable: Any])
    /// The user chose an action of a notification.
    func handleAction(identifier: String, userInfo: [String: Any])
    /// The user does not want notifications.
    func declinedRemoteNotifications()
}

extension RemoteNotifications {
    public func registeredForRemoteNotifications(deviceToken: Data) {}
    public func failedToRegisterForRemoteNotification(error: (any Error)?) {}
    public func receivedRemoteNotification(userInfo: [AnyHashable: Any]) {}
    public func handleAction(identifier: String, userInfo: [String: Any]) {}
    public func declinedRemoteNotifications() {}
}
