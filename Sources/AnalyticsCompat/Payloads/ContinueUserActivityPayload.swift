/// An activity that the app continues.
///
/// Unchecked like its base; its own member is behind the lock.
public final class ContinueUserActivityPayload: Payload, @unchecked Sendable {
    private let own: LockBox<UserActivity>

    init(activity: UserActivity, context: JSONObject) {
        own = LockBox(activity)
        super.init(context: context)
    }

    /// The activity.
    public var activity: UserActivity {
        get { own.withLock { $0 } }
        set { own.withLock { $0 = newValue } }
    }

    override var eventType: EventType { .continueUserActivity }
}
