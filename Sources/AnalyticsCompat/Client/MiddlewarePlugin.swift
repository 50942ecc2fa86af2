import Logging

/// The plugin that adds the interface of analytics-ios to a client: middleware before the timeline, and integrations
/// after it.
///
/// It is the source stage of the timeline, right after the plugin that adds the context. It passes every event, and the
/// calls without an event, through the middleware.
///
/// Unchecked because everything that changes is only touched on the client's executor, or is behind a lock.
final class MiddlewarePlugin: EventPlugin, SourceStage, CallGate, WaitingPlugin, @unchecked Sendable {
    let type = PluginType.before
    let name = "AnalyticsCompat"
    weak var analytics: Analytics?

    let configuration: AnalyticsConfiguration
    private var middlewares: [any Middleware]
    private let destinationMiddleware: [DestinationMiddleware]
    let edgeFunction: (any EdgeFunctionMiddleware)?
    private let factories: [any SEGIntegrationFactory]
    private var integrations: [IntegrationDestination] = []
    private let bundled = LockBox<[String]>([])
    private let token = LockBox<String?>(nil)
    /// The users before a reset that middleware refused, by the anonymous id of the time in between.
    private var restored: [(anonymousId: String, user: UserInfo)] = []
    /// Whether integrations get the next flush. Only a flush by the app reaches them.
    private var isFlushAsked = false

    init(_ configuration: AnalyticsConfiguration) {
        self.configuration = configuration
        middlewares = configuration.sourceMiddleware ?? []
        destinationMiddleware = configuration.destinationMiddleware ?? []
        edgeFunction = configuration.edgeFunctionMiddleware
        factories = configuration.factories
    }

    func configure(analytics: Analytics) {
        self.analytics = analytics
        if !factories.isEmpty { analytics.pauseEventProcessing(plugin: self) }
        for middleware in destinationMiddleware {
            if let destination = analytics.find(key: middleware.integrationKey) { add(middleware, to: destination) }
        }
    }

    func update(settings: Settings, type: UpdateType) {
        if let data = settings.edgeFunction?.dictionaryValue, !data.isEmpty { edgeFunction?.setEdgeFunctionData(data) }
        guard type == .initial, !factories.isEmpty, let analytics else { return }
        IntegrationLoader.load(factories, settings, analytics) { [weak self] in
            self?.add($0)
        } done: { [weak self] in
            guard let self else { return }
            self.analytics?.resumeEventProcessing(plugin: self)
        }
    }

    /// The keys of the integrations that were made.
    var bundledKeys: [String] { bundled.withLock { $0 } }

    /// The token for notifications in hexadecimal.
    var deviceToken: String? {
        get { token.withLock { $0 } }
        set { token.withLock { $0 = newValue } }
    }

    /// Adds middleware after the present middleware.
    func add(_ middleware: any Middleware) {
        let middleware = Handed(middleware)
        analytics?.performBetweenEvents { [self] in middlewares.append(middleware.value) }
    }

    // MARK: Integrations

    private func add(_ destination: IntegrationDestination) {
        for middleware in destinationMiddleware where middleware.integrationKey == destination.key {
            add(middleware, to: destination)
        }
        integrations.append(destination)
        bundled.withLock { $0.append(destination.key) }
        // The settings name each integration except webhooks, which need no settings.
        if destination.key.hasPrefix(WebhookIntegrationFactory.prefix) {
            analytics?.manuallyEnableDestination(plugin: destination)
        }
        analytics?.add(plugin: destination)
    }

    private func add(_ middleware: DestinationMiddleware, to destination: any DestinationPlugin) {
        guard let list = middleware.middleware, !list.isEmpty else { return }
        destination.add(plugin: DestinationChain(list, key: destination.key))
    }

    // MARK: Events

    func route(_ event: JSONObject) -> RoutedEvent {
        let event = withRestoredUser(event)
        guard let analytics, !middlewares.isEmpty, let payload = Payload.of(event) else { return .passed(event) }
        trace(event)
        var outcome: RoutedEvent?
        var late: PendingDecision?
        ChainRun.begin(middlewares, Context(analytics, payload.eventType, payload)) { [self] end in
            let result = result(end, event)
            if let late { late.decide(result) } else { outcome = result }
        }
        if let outcome { return outcome }
        let decision = PendingDecision()
        late = decision
        return .kept(decision)
    }

    private func result(_ end: ChainRun.End, _ event: JSONObject) -> RoutedEvent {
        switch end {
        case .dropped(let name): return .dropped(by: name)
        case .passed(let context):
            guard let payload = context.payload, payload.wireType != nil else {
                report("middleware returned a context without the payload of an event, so the event is dropped")
                return .dropped(by: name)
            }
            reportProblems(payload)
            if context.eventType != payload.eventType {
                report(
                    "middleware set the event type \(context.eventType), but its payload is \(payload.eventType); the payload counts"
                )
            }
            return .passed(payload.applied(to: event))
        }
    }

    private func reportProblems(_ payload: Payload) {
        for problem in payload.problems {
            analytics?.report(Diagnostic(.invalidValue, "middleware: \(problem); the event goes on without it"))
        }
    }

    private func trace(_ event: JSONObject) {
        if DebugMode.isOn { analytics?.logger.info("\(JSON.object(event))") }
    }

    private func report(_ message: String) {
        analytics?.report(Diagnostic(.pluginFault, message, plugin: name))
    }

    // MARK: Calls without an event

    func decide(_ call: GatedCall, _ decided: @escaping @Sendable (Bool) -> Void) {
        let type: EventType =
            switch call {
            case .flush: .flush
            case .reset: .reset
            }
        run(type, nil) { [self] context in
            switch call {
            case .flush: isFlushAsked = context != nil
            case .reset(let before, let after): if context == nil { restore(before, instead: after) }
            }
            decided(context != nil)
        }
    }

    func reset() { deliver(.reset, .reset, nil) }

    func flush() {
        guard isFlushAsked else { return }
        isFlushAsked = false
        deliver(.flush, .flush, nil)
    }

    /// Takes a call through the source middleware after the earlier events, and then to the integrations.
    func pass(_ call: IntegrationCall, _ payload: Payload) {
        guard let analytics, analytics.acceptsEvents else { return }
        payload.timestamp = ISO8601.string(milliseconds: analytics.time.milliseconds)
        payload.messageId = analytics.makeId()
        payload.anonymousId = analytics.anonymousId
        payload.userId = analytics.userId ?? ""
        let type = payload.eventType
        analytics.afterTracked { [self] in
            run(type, payload) { [self] context in
                if let context { deliver(call, type, context.payload ?? payload) }
            }
        }
    }

    private func run(_ type: EventType, _ payload: Payload?, _ done: @escaping (Context?) -> Void) {
        guard let analytics else { return done(nil) }
        ChainRun.begin(middlewares, Context(analytics, type, payload)) { end in
            if case .passed(let context) = end { done(context) } else { done(nil) }
        }
    }

    private func deliver(_ call: IntegrationCall, _ type: EventType, _ payload: Payload?) {
        guard let analytics else { return }
        for destination in integrations {
            let list = destinationMiddleware.filter { $0.integrationKey == destination.key }.flatMap {
                $0.middleware ?? []
            }
            ChainRun.begin(list, Context(analytics, type, payload)) { end in
                guard case .passed(let context) = end else { return }
                analytics.call(destination) { ($0 as? IntegrationDestination)?.take(call, context.payload) }
            }
        }
    }

    // MARK: A reset that was refused

    private func restore(_ user: UserInfo, instead anonymous: UserInfo) {
        restored.append((anonymous.anonymousId, user))
        if restored.count > 16 { restored.removeFirst() }
    }

    /// Restores the user in an event that was tracked between a reset and its refusal.
    private func withRestoredUser(_ event: JSONObject) -> JSONObject {
        guard !restored.isEmpty, let id = event["anonymousId"]?.stringValue,
            let user = restored.last(where: { $0.anonymousId == id })?.user
        else { return event }
        var event = event
        event["anonymousId"] = .string(user.anonymousId)
        if event["userId"] == nil, let userId = user.userId { event["userId"] = .string(userId) }
        return event
    }
}
