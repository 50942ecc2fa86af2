extension Analytics {
    /// Makes a client out of a configuration of analytics-ios.
    ///
    /// It is a client like any other: all calls of `Analytics` work on it, and its middleware sees them too.
    public convenience init(configuration: AnalyticsConfiguration) {
        self.init(configuration: configuration.client())
        configuration.attach(self)
        let mistakes = PayloadFilters(configuration.payloadFilters).mistakes
        if !mistakes.isEmpty {
            report(Diagnostic(.configuration, "payload filters that are no regular expressions: \(mistakes)"))
        }
        if let advertising = AdvertisingContext(configuration) { add(plugin: advertising) }
        add(plugin: MiddlewarePlugin(configuration))
        if let cloud = find(key: "Segment.io") { cloud.add(plugin: RawModification(configuration)) }
        startObserving(configuration)
        trackLaunch(configuration)
    }

    /// Makes the client that `shared()` gives from then on. Only the first call has an effect.
    public static func setup(with configuration: AnalyticsConfiguration) { SharedClient.setup(configuration) }

    /// Whether clients of this interface log what goes through their middleware; contexts are then copied before they
    /// are changed. Default: false.
    public static func debug(_ showDebugLogs: Bool) {
        DebugMode.isOn = showDebugLogs
        debugLogsEnabled = showDebugLogs
    }

    /// Always nil. The block was for one use only.
    @available(*, deprecated, message: "One time use object")
    public var configuration: AnalyticsConfiguration? { nil }

    /// Adds middleware behind the middleware of the configuration. It sees calls that are processed from then on.
    /// Middleware that is added right after the client was made sees every event.
    public func add(middleware: any Middleware) {
        if middlewarePlugin == nil { add(plugin: MiddlewarePlugin(AnalyticsConfiguration(writeKey: writeKey))) }
        middlewarePlugin?.add(middleware)
    }

    /// The integrations that were made, by key; the value is false. Servers are told not to serve them as well.
    public func bundledIntegrations() -> [String: Any] {
        Dictionary((middlewarePlugin?.bundledKeys ?? []).map { ($0, false) }) { first, _ in first }
    }

    /// The middleware that is made from the settings, if there is any.
    public func edgeFunction() -> (any EdgeFunctionMiddleware)? { middlewarePlugin?.edgeFunction }

    /// Accepts calls again.
    public func enable() { enabled = true }

    /// Drops all calls from now on; kept across launches.
    public func disable() { enabled = false }

    /// Identifies this installation until the next reset.
    public func getAnonymousId() -> String { anonymousId }

    /// The token for notifications in hexadecimal; empty when there is none.
    public func getDeviceToken() -> String { middlewarePlugin?.deviceToken ?? "" }

    /// The part of this client that implements the interface of analytics-ios.
    var middlewarePlugin: MiddlewarePlugin? { find(pluginType: MiddlewarePlugin.self) }
}
