public import Foundation

/// An address that the app was opened with.
///
/// Unchecked like its base; its own members are behind the lock.
public final class OpenURLPayload: Payload, @unchecked Sendable {
    private let own: LockBox<(url: URL, options: [AnyHashable: Any])>

    init(url: URL, options: [AnyHashable: Any], context: JSONObject) {
        own = LockBox((url, options))
        super.init(context: context)
    }

    /// The address after the payload filters.
    public var url: URL {
        get { own.withLock { $0.url } }
        set { own.withLock { $0.url = newValue } }
    }

    /// The options of the call.
    public var options: [AnyHashable: Any] {
        get { own.withLock { $0.options } }
        set { own.withLock { $0.options = newValue } }
    }

    override var eventType: EventType { .openURL }
}
