import Foundation
public import Tributary
import TributaryJSON

/// The client tracks no events for notifications, because their content is often personal. Signals stay on the device
/// unless a broadcaster sends them.
extension Signals: RemoteNotifications {
    public func receivedRemoteNotification(userInfo: [AnyHashable: Any]) {
        note("Push Notification Received", userInfo)
    }

    public func handleAction(identifier: String, userInfo: [String: Any]) {
        note("Push Notification Tapped", userInfo, action: identifier)
    }

    /// An instrumentation signal of type `unknown`.
    private func note(_ name: String, _ userInfo: [AnyHashable: Any], action: String? = nil) {
        var texts: [String: Any] = [:]
        for case (let key as String, let value) in userInfo.map({ ($0.key.base, $0.value) }) { texts[key] = value }
        var event: JSON = ["type": "push", "event": .string(name), "properties": SignalContent.json(texts) ?? [:]]
        event["action"] = action.map(JSON.string)
        emit(InstrumentationSignal(data: InstrumentationData(rawEvent: event)))
    }
}
