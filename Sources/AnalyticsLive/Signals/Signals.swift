public import Tributary
import TributaryJSON

/// Collects signals of the app, keeps the latest, and passes them to scripts that make events of them.
///
/// Add it to the client, and emit signals from anywhere:
///
/// ```swift
/// Signals.shared.useConfiguration(SignalsConfiguration(writeKey: "KEY"))
/// analytics.add(plugin: Signals.shared)
/// Signals.emit(NavigationSignal(action: .entering, screen: "Home"))
/// ```
///
/// The generators are in the bundle of the live plugins; a client without `LivePlugins` gets them for that. Each event
/// of the client makes an `InstrumentationSignal`, except the events of generators.
///
/// Threading: everything may be called from any thread. Emitting takes microseconds and never waits for a script or a
/// broadcaster. Signals from before the client and its scripts are ready wait, as many as the buffer holds, and are
/// processed in their order.
public final class Signals: EventPlugin, Sendable {
    /// The signals of the app.
    public static let shared = Signals()

    public var type: PluginType { .after }
    public var name: String { "Signals" }

    /// The client that this plugin was added to last.
    public var analytics: Analytics? {
        get { state.withLock { $0.analytics } }
        set { state.withLock { $0.analytics = newValue } }
    }

    /// The id of the device or installation; empty while there is no client.
    public var anonymousId: String { analytics?.anonymousId ?? "" }

    /// The index of the next signal. Each call returns another one.
    public var nextIndex: Int { state.withLock { $0.inbox.takeIndex() } }

    private let state: LockBox<State>
    private let capture = AutomaticCapture()

    private convenience init() { self.init { Double.random(in: 0..<1) } }

    /// Further signals besides those of the app, for tests.
    /// - Parameter draw: returns a number below 1, for the samples of the settings.
    package init(draw: () -> Double) { state = LockBox(State(gates: SignalGates(draw: draw))) }

    /// Sets the configuration. May be called before or after the client is there.
    ///
    /// The broadcasters are called on queues of their own. A broadcaster that the app also uses itself must be safe for
    /// that.
    public func useConfiguration(_ configuration: SignalsConfiguration) {
        let handed = Handed(configuration)
        let processor = state.withLock { state in
            state.inbox.capacity = configuration.bufferSize
            state.gates.use(configuration)
            state.configuration = handed
            return state.processor
        }
        processor?.perform { $0.use(handed.value) }
        capture.use(configuration, of: self)
    }

    // MARK: Emitting

    /// Takes a signal, and returns at once. A signal of a disabled source is dropped.
    public func emit(signal: any RawSignal, source: SignalSource = .manual) { take(signal, source, distance: 0) }

    /// Takes a signal, and returns at once. A signal of a disabled source is dropped.
    public func emit(_ signal: any RawSignal, source: SignalSource = .manual) { take(signal, source, distance: 0) }

    /// Takes a signal of the app, and returns at once.
    public static func emit(_ signal: any RawSignal, source: SignalSource = .manual) {
        shared.emit(signal: signal, source: source)
    }

    /// Takes a signal of the app, and returns at once.
    public static func emit(signal: any RawSignal, source: SignalSource = .manual) {
        shared.emit(signal: signal, source: source)
    }

    /// Whether signals of that source are accepted now: the app has enabled it, the workspace has not disabled it, and
    /// the client may collect or waits for the user's decision.
    public func takes(_ source: SignalSource) -> Bool { state.withLock { $0.takes(source) } }

    /// Whether signals may contain the text that is typed into fields.
    var includesTypedText: Bool { state.withLock { $0.gates.includesTypedText } }

    private func take(_ signal: any RawSignal, _ source: SignalSource, distance: Int) {
        var signal = signal
        let idle = state.withLock { state -> SignalProcessor? in
            guard state.takes(source) else { return nil }
            if signal.index < 0 { signal.index = state.inbox.takeIndex() }
            state.inbox.append(SignalInbox.Entry(signal: signal, distance: distance))
            return state.beginTurn()
        }
        idle?.perform { $0.turn() }
    }

    // MARK: The client

    public func configure(analytics: Analytics) {
        let processor = SignalProcessor(signals: self, analytics: analytics)
        let (former, configuration) = state.withLock { state -> (SignalProcessor?, Handed<SignalsConfiguration>?) in
            defer {
                state.analytics = analytics
                state.processor = processor
                state.clients += 1
                state.close()
            }
            return (state.processor, state.configuration)
        }
        if former != nil {
            report("signals go to the client that the plugin was added to last", kind: .configuration)
            former?.perform { $0.stop() }
        }
        processor.begin(with: analytics)
        if let configuration { processor.perform { $0.use(configuration.value) } }
        capture.use(analytics, of: self)
    }

    public func update(settings: Settings, type: UpdateType) {
        let processor = state.withLock { state in
            state.gates.use(settings)
            return state.processor
        }
        let isTrafficOff = settings.autoInstrumentation?["disableTraffic"] == true
        processor?.perform { processor in
            processor.begin()
            if isTrafficOff { processor.disableTraffic() }
        }
        capture.use(settings, of: self)
    }

    public func execute<Event: RawEvent>(event: Event) -> Event? {
        let json = JSON.object(event.json)
        guard !EventOrigin.isOfSignals(json) else { return event }
        var signal = InstrumentationSignal(data: InstrumentationData(rawEvent: json))
        signal.anonymousId = event.anonymousId ?? ""
        if let time = analytics?.time { signal.timestamp = ISO8601.string(milliseconds: time.milliseconds) }
        take(signal, .manual, distance: EventOrigin.generation(of: json))
        return event
    }

    public func flush() { state.withLock { $0.processor }?.perform { $0.relay() } }

    public func shutdown() {
        let processor = state.withLock { state -> SignalProcessor? in
            state.clients -= 1
            guard state.clients <= 0 else { return nil }
            defer {
                state.processor = nil
                state.close()
            }
            return state.processor
        }
        processor?.stop()
    }

    func report(_ message: String, kind: Diagnostic.Kind = .signals) {
        analytics?.report(Diagnostic(kind, message, plugin: name))
    }

    // MARK: The processor

    /// Passes signals to a processor from now on.
    func open(_ processor: SignalProcessor) {
        let idle = state.withLock { state -> SignalProcessor? in
            guard state.processor === processor else { return nil }
            state.isOpen = true
            return state.beginTurn()
        }
        idle?.turn()
    }

    /// Lets signals wait from now on, until `open`.
    func close(_ processor: SignalProcessor) {
        state.withLock { state in
            if state.processor === processor { state.isOpen = false }
        }
    }

    /// Releases or deletes the waiting signals, as the user of the processor's client has decided.
    func follow(_ permit: CollectionPermit, of processor: SignalProcessor) {
        let idle = state.withLock { state -> SignalProcessor? in
            guard state.processor === processor else { return nil }
            if permit == .refused { state.inbox.removeAll() }
            return state.beginTurn()
        }
        switch permit {
        case .granted: processor.perform { $0.resume() }
        case .pending: break
        case .refused: processor.perform { $0.forget() }
        }
        idle?.perform { $0.turn() }
    }

    /// Removes the next signal. When there is none, the next `emit` has to wake the processor.
    func next() -> SignalInbox.Entry? {
        state.withLock { state in
            let entry = state.mayTurn ? state.inbox.popFirst() : nil
            state.isTurning = entry != nil
            return entry
        }
    }

    /// The number of signals that were dropped since the last call.
    func takeDropped() -> Int { state.withLock { $0.inbox.takeDropped() } }

    /// Removes the next waiting signal without looking at the user's consent. For tests of capture without a client.
    func popWaiting() -> SignalInbox.Entry? { state.withLock { $0.inbox.popFirst() } }

    /// Calls back when everything that was emitted before was processed, and broadcasters have got it.
    package func afterProcessing(_ completion: @escaping @Sendable () -> Void) {
        afterTurns { [self] in
            let processor = state.withLock { $0.processor }
            if processor?.perform({ $0.afterBroadcasting(completion) }) != true { completion() }
        }
    }

    /// Calls back when everything that was emitted before was processed, without waiting for broadcasters.
    package func afterTurns(_ completion: @escaping @Sendable () -> Void) {
        let processor = state.withLock { $0.processor }
        let isAsked = processor?.perform { [self] _ in
            let isBusy = state.withLock { $0.inbox.count > 0 && $0.mayTurn }
            if isBusy { return afterTurns(completion) }
            completion()
        }
        if isAsked != true { completion() }
    }

    /// The number of waiting signals.
    package var waiting: Int { state.withLock { $0.inbox.count } }
}

extension Signals {
    /// The state behind the one lock, which is held only as long as it takes to insert a signal.
    private struct State {
        var inbox = SignalInbox(capacity: SignalsConfiguration.standardBufferSize)
        var gates: SignalGates
        var configuration: Handed<SignalsConfiguration>?
        weak var analytics: Analytics?
        var processor: SignalProcessor?
        /// The number of clients that have the plugin and have not ended.
        var clients = 0
        /// Whether signals have a receiver.
        var isOpen = false
        var isTurning = false

        /// The user's consent; pending while there is no client.
        var permit: CollectionPermit { processor?.permit.withLock { $0 } ?? .pending }
        /// Whether signals may be processed.
        var mayTurn: Bool { isOpen && permit == .granted }

        func takes(_ source: SignalSource) -> Bool { permit != .refused && gates.admits(source) }

        /// The processor, when it has to be called.
        mutating func beginTurn() -> SignalProcessor? {
            guard mayTurn, !isTurning, inbox.count > 0 else { return nil }
            isTurning = true
            return processor
        }

        mutating func close() {
            isOpen = false
            isTurning = false
        }
    }
}
