/// The kind of a call, for middleware.
public enum EventType: Int, Sendable {
    /// Unknown. No call has this kind.
    case undefined
    /// The identity of the user.
    case identify
    /// An action of the user.
    case track
    /// A screen that the user saw.
    case screen
    /// A group that the user belongs to.
    case group
    /// A further id of the user.
    case alias
    /// A reset of the client.
    case reset
    /// A flush: the waiting events should be sent.
    case flush
    /// A notification arrived.
    case receivedRemoteNotification
    /// The app cannot get notifications.
    case failedToRegisterForRemoteNotifications
    /// The app can get notifications.
    case registeredForRemoteNotifications
    /// The user chose an action of a notification.
    case handleActionWithForRemoteNotification
    /// A change in the life of the app.
    case applicationLifecycle
    /// The app continues an activity.
    case continueUserActivity
    /// The app was opened with an address.
    case openURL

    /// The kind for the `type` of an event on the wire.
    init(wire: String?) {
        switch wire {
        case IdentifyEvent.typeName: self = .identify
        case TrackEvent.typeName: self = .track
        case ScreenEvent.typeName, "page": self = .screen
        case GroupEvent.typeName: self = .group
        case AliasEvent.typeName: self = .alias
        default: self = .undefined
        }
    }
}
