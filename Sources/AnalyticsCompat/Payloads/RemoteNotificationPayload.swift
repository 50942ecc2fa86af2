public import Foundation

/// The payload of a call about push notifications; its members depend on the call.
///
/// Unchecked like its base; its own members are behind the lock.
public final class RemoteNotificationPayload: Payload, @unchecked Sendable {
    private struct Members {
        var actionIdentifier: String?
        var userInfo: [AnyHashable: Any]?
        var error: (any Error)?
        var deviceToken: Data?
    }

    private let own: LockBox<Members>
    private let type: EventType

    /// An empty payload, for tests of middleware.
    public init() {
        own = LockBox(Members())
        type = .undefined
        super.init(context: [:])
    }

    init(
        _ type: EventType, actionIdentifier: String? = nil, userInfo: [AnyHashable: Any]? = nil,
        error: (any Error)? = nil, deviceToken: Data? = nil, context: JSONObject
    ) {
        own = LockBox(
            Members(actionIdentifier: actionIdentifier, userInfo: userInfo, error: error, deviceToken: deviceToken))
        self.type = type
        super.init(context: context)
    }

    /// The action that the user chose.
    public var actionIdentifier: String? {
        get { own.withLock { $0.actionIdentifier } }
        set { own.withLock { $0.actionIdentifier = newValue } }
    }

    /// The content of the notification.
    public var userInfo: [AnyHashable: Any]? {
        get { own.withLock { $0.userInfo } }
        set { own.withLock { $0.userInfo = newValue } }
    }

    /// The reason why the app cannot get notifications.
    public var error: (any Error)? {
        get { own.withLock { $0.error } }
        set { own.withLock { $0.error = newValue } }
    }

    /// The token for push notifications.
    public var deviceToken: Data? {
        get { own.withLock { $0.deviceToken } }
        set { own.withLock { $0.deviceToken = newValue } }
    }

    override var eventType: EventType { type }
}
