public import Foundation
import TributaryJSON

extension Analytics {
    /// Reports the token for push notifications. Later events have it in `context.device`, and plugins that conform to
    /// `RemoteNotifications` get it.
    public func registeredForRemoteNotifications(deviceToken: Data) {
        guard acceptsEvents else { return }
        setDeviceToken(deviceToken.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined())
        visit((any RemoteNotifications).self) { $0.registeredForRemoteNotifications(deviceToken: deviceToken) }
    }

    /// Puts a token into the `context.device` of later events of this process; nil removes it.
    public func setDeviceToken(_ token: String?) {
        if let known = find(pluginType: DeviceToken.self) { return known.token = token }
        guard let token else { return }
        let plugin = DeviceToken()
        plugin.token = token
        add(builtIn: plugin)
    }

    /// Reports that the app cannot get push notifications.
    public func failedToRegisterForRemoteNotification(error: (any Error)?) {
        visit((any RemoteNotifications).self) { $0.failedToRegisterForRemoteNotification(error: error) }
    }

    /// Passes a received notification to plugins. The client tracks no event, because the content of a notification is
    /// often personal.
    public func receivedRemoteNotification(userInfo: [AnyHashable: Any]) {
        guard acceptsEvents else { return }
        visit((any RemoteNotifications).self) { $0.receivedRemoteNotification(userInfo: userInfo) }
    }

    /// Reports that the user chose an action of a notification. The client tracks no event.
    public func handleAction(identifier: String, userInfo: [String: Any]) {
        guard acceptsEvents else { return }
        visit((any RemoteNotifications).self) { $0.handleAction(identifier: identifier, userInfo: userInfo) }
    }

    /// Reports that the user does not want notifications.
    public func declinedRemoteNotifications() {
        visit((any RemoteNotifications).self) { $0.declinedRemoteNotifications() }
    }
}
