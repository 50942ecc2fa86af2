public import Foundation

/// For plugins that deal with push notifications; every function is optional.
///
/// The functions are called on the thread of the call of `Analytics` with the same name, mostly the main thread.
public protocol RemoteNotifications {
    /// The app may be sent notifications under that token.
    func registeredForRemoteNotifications(deviceToken: Data)
    /// The app cannot be sent notifications.
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
