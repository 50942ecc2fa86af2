/// A change in the life of the app.
///
/// Unchecked like its base; its own members are behind the lock.
public final class ApplicationLifecyclePayload: Payload, @unchecked Sendable {
    private let name: LockBox<String>
    private let options: LockBox<[AnyHashable: Any]?>

    /// An empty payload, for tests of middleware.
    public init() {
        name = LockBox("")
        options = LockBox(nil)
        super.init(context: [:])
    }

    init(name: String, launchOptions: [AnyHashable: Any]?, context: JSONObject) {
        self.name = LockBox(name)
        options = LockBox(launchOptions)
        super.init(context: context)
    }

    /// The name of the system's notification.
    public var notificationName: String {
        get { name.withLock { $0 } }
        set { name.withLock { $0 = newValue } }
    }

    /// The launch options; nil except at the launch.
    public var launchOptions: [AnyHashable: Any]? {
        get { options.withLock { $0 } }
        set { options.withLock { $0 = newValue } }
    }

    override var eventType: EventType { .applicationLifecycle }
}
