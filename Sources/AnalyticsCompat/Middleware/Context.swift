/// One call of a client, for middleware.
///
/// Unchecked because what changes is behind the lock.
public final class Context: @unchecked Sendable {
    struct State {
        var eventType = EventType.undefined
        var payload: Payload?
        var error: (any Error)?
        var debug = false
    }

    /// The client that was called.
    public let _analytics: Analytics
    let state: LockBox<State>

    /// A context without a payload.
    public convenience init(analytics: Analytics) {
        self.init(analytics, State(debug: DebugMode.isOn))
    }

    init(_ analytics: Analytics, _ state: State) {
        _analytics = analytics
        self.state = LockBox(state)
    }

    convenience init(_ analytics: Analytics, _ eventType: EventType, _ payload: Payload?) {
        self.init(analytics, State(eventType: eventType, payload: payload, debug: DebugMode.isOn))
    }

    /// The kind of call.
    public var eventType: EventType { state.withLock { $0.eventType } }
    /// The payload of the call; nil for `reset` and `flush`.
    public var payload: Payload? { state.withLock { $0.payload } }
    /// An error that middleware set.
    public var error: (any Error)? { state.withLock { $0.error } }
    /// Whether `Analytics.debug(true)` was called.
    public var debug: Bool { state.withLock { $0.debug } }
    /// The user id of the payload.
    public var userId: String? { payload.flatMap { $0.userId.isEmpty ? nil : $0.userId } }
    /// The anonymous id of the payload.
    public var anonymousId: String? { payload.flatMap { $0.anonymousId.isEmpty ? nil : $0.anonymousId } }

    /// A copy that does not follow later changes of this context. The payload is the same object.
    public func copy() -> Context { Context(_analytics, state.withLock { $0 }) }

    /// Changes the call.
    ///
    /// A new payload takes over ids, time, context and integrations that it does not have from the payload before.
    /// - Returns: this context. With `debug`, a changed copy; this context then stays unchanged.
    public func modify(_ modify: (any SEGMutableContext) -> Void) -> Context {
        let context = debug ? copy() : self
        let before = payload
        modify(MutableContext(context))
        if let before, let after = context.payload, after !== before {
            after.complete(after: before, common: _analytics.commonContext)
        }
        return context
    }
}
