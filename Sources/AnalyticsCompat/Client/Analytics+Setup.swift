extension Analytics {
    /// Makes a client from a configuration of analytics-ios.
    ///
    /// All calls of `Analytics` work on this client, and its middleware sees them, too.
    public convenience init(configuration: AnalyticsConfiguration) {
        self.init(configuration: configuration.client())
        configuration.attach(self)
        let mistakes = PayloadFilters(configuration.payloadFilters).mistakes
        if !mistakes.isEmpty {
            report(Diagnostic(.configuration, "payload filters that are not regular expressions: \(mistakes)"))
        }
        if let advertising = AdvertisingContext(configuration) { add(plugin: advertising) }
        add(plugin: MiddlewarePlugin(configuration))
        if let cloud = find(key: "Segment.io") { cloud.add(plugin: RawModification(configuration)) }
        startObserving(configuration)
        trackLaunch(configuration)
    }

    /// Makes the client that `shared()` returns from then on. Only the first call has an effect.
    public static func setup(with configuration: AnalyticsConfiguration) { SharedClient.setup(configuration) }

    /// Whether clients of this interface log their calls in the middleware. Contexts are then copied before they are
    /// changed. Default: false.
    public static func debug(_ showDebugLogs: Bool) {
        DebugMode.isOn = showDebugLogs
        debugLogsEnabled = showDebugLogs
    }

    /// Always nil. The block was for one use only.
    @available(*, deprecated, message: "One time use object")
    public var configuration: AnalyticsConfiguration? { nil }

    /// Adds middleware after the configured middleware. It sees calls that are processed from then on. Middleware that
    /// is added right after the client was made sees every event.
    public func add(middleware: any Middleware) {
        if middlewarePlugin == nil { add(plugin: MiddlewarePlugin(AnalyticsConfiguration(writeKey: writeKey))) }
        middlewarePlugin?.add(middleware)
    }

    /// The integrations that were made, by key. The value false tells servers not to forward to them.
    public func bundledIntegrations() -> [String: Any] {
        Dictionary((middlewarePlugin?.bundledKeys ?? []).map { ($0, false) }) { first, _ in first }
    }

    /// The middleware that is made from the settings, if any.
    public func edgeFunction() -> (any EdgeFunctionMiddleware)? { middlewarePlugin?.edgeFunction }

    /// Accepts calls again.
    public func enable() { enabled = true }

    /// Drops all calls from now on. The state is kept across launches.
    public func disable() { enabled = false }

    /// The anonymous id of this installation, until the next reset.
    public func getAnonymousId() -> String { anonymousId }

    /// The token for notifications in hexadecimal; empty when there is none.
    public func getDeviceToken() -> String { middlewarePlugin?.deviceToken ?? "" }

    /// The part of this client that implements the interface of analytics-ios.
    var middlewarePlugin: MiddlewarePlugin? { find(pluginType: MiddlewarePlugin.self) }
}
