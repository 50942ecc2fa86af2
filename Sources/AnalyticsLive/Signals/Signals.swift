public import Tributary

/// Collects what happens in the app, keeps the latest of it, and lets scripts make events of it.
///
/// Add it to the client, and emit signals from anywhere:
///
/// ```swift
/// Signals.shared.useConfiguration(SignalsConfiguration(writeKey: "KEY"))
/// analytics.add(plugin: Signals.shared)
/// Signals.emit(NavigationSignal(action: .entering, screen: "Home"))
/// ```
///
/// Threading: everything may be called from any thread. Emitting takes microseconds and never waits for a script or a
/// broadcaster. Signals from before the client and its scripts are ready are kept, as many as the buffer holds, and
/// follow in their order.
public final class Signals: EventPlugin, Sendable {
    /// The signals of the app.
    public static let shared = Signals()

    public var type: PluginType { .after }
    public var name: String { "Signals" }

    /// The client that they were added to last.
    public var analytics: Analytics? {
        get { link.withLock { $0.analytics } }
        set { link.withLock { $0.analytics = newValue } }
    }

    /// Identifies the device or installation; empty until there is a client.
    public var anonymousId: String { analytics?.anonymousId ?? "" }

    /// The place of the next signal; each call gives another one.
    public var nextIndex: Int { inbox.withLock { $0.takeIndex() } }

    private let capture = AutomaticCapture()
    private let link = LockBox(Link())
    private let inbox = LockBox(SignalInbox(capacity: SignalsConfiguration.standardBufferSize))

    /// Signals beside those of the app, for tests.
    package init() {}

    /// From now on signals are collected like this; may come before or after the client.
    public func useConfiguration(_ configuration: SignalsConfiguration) {
        inbox.withLock { $0.capacity = configuration.bufferSize }
        capture.use(configuration, of: self)
    }

    /// Whether signals of that source are taken at present.
    public func takes(_ source: SignalSource) -> Bool { true }

    public func configure(analytics: Analytics) {
        self.analytics = analytics
        capture.use(analytics, of: self)
    }

    public func update(settings: Settings, type: UpdateType) { capture.use(settings, of: self) }

    /// Takes a signal, and returns at once.
    public func emit(signal: any RawSignal, source: SignalSource = .manual) {
        var signal = signal
        if signal.anonymousId.isEmpty { signal.anonymousId = anonymousId }
        inbox.withLock { inbox in
            if signal.index < 0 { signal.index = inbox.takeIndex() }
            inbox.append(SignalInbox.Entry(signal: signal, distance: 0))
        }
    }

    /// Takes a signal, and returns at once.
    public func emit(_ signal: any RawSignal, source: SignalSource = .manual) { emit(signal: signal, source: source) }

    /// Takes a signal, and returns at once.
    public static func emit(_ signal: any RawSignal, source: SignalSource = .manual) {
        shared.emit(signal: signal, source: source)
    }

    /// Takes a signal, and returns at once.
    public static func emit(signal: any RawSignal, source: SignalSource = .manual) {
        shared.emit(signal: signal, source: source)
    }

    func report(_ message: String, kind: Diagnostic.Kind = .signals) {
        analytics?.report(Diagnostic(kind, message, plugin: name))
    }

    /// What the signals belong to.
    private struct Link {
        weak var analytics: Analytics?
    }
}
