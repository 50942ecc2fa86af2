/// A context while it is changed.
public protocol SEGMutableContext: AnyObject {
    /// The kind of call.
    var eventType: EventType { get set }
    /// The payload of the call.
    var payload: Payload? { get set }
    /// An error that middleware sets for later middleware.
    var error: (any Error)? { get set }
    /// Whether changes are made to copies.
    var debug: Bool { get set }
}

/// Passes changes to a context.
final class MutableContext: SEGMutableContext {
    private let context: Context

    init(_ context: Context) { self.context = context }

    var eventType: EventType {
        get { context.eventType }
        set { context.state.withLock { $0.eventType = newValue } }
    }
    var payload: Payload? {
        get { context.payload }
        set { context.state.withLock { $0.payload = newValue } }
    }
    var error: (any Error)? {
        get { context.error }
        set { context.state.withLock { $0.error = newValue } }
    }
    var debug: Bool {
        get { context.debug }
        set { context.state.withLock { $0.debug = newValue } }
    }
}
