import Foundation
public import Tributary
import TributaryJSON

/// Records the last events of a client and what each plugin did to them, the signals and the diagnostics, and shows what the client
/// does now. It can hold delivery.
///
/// ```swift
/// let inspector = ClientInspector(analytics)
/// print(inspector.state.text)
/// inspector.holdsDelivery = true    // events stay on the device until this is false again
/// ```
///
/// In a release build it does nothing, unless the app switches it on. It keeps no more than `InspectorLimits` allows, only in
/// memory, and it sends nothing. It may be used from any thread.
public final class ClientInspector: Sendable {
    /// Whether this library was built for development.
    static var isDebugBuild: Bool {
        #if DEBUG
        true
        #else
        false
        #endif
    }

    /// Whether the inspector records and may hold delivery: in debug builds, and in release builds when the app switched it on.
    public let isOn: Bool
    private let kept = LockBox(InspectorLog())
    private let bundle = LockBox(BundleInUse.none)
    private let observers = Observers<Void>()
    private let observations = LockBox<[Observation]>([])
    private let client: @Sendable () -> Analytics?

    /// Begins to record. The inspector does not keep the client alive.
    /// - Parameter inReleaseBuilds: whether it works in release builds as well. Anybody who holds the device then sees the
    ///   events and their values. Default: false.
    public convenience init(_ analytics: Analytics, inReleaseBuilds: Bool = false) {
        self.init(analytics, isOn: Self.isDebugBuild || inReleaseBuilds)
    }

    /// - Parameter isOn: whether it records; tests try what a release build does.
    init(_ analytics: Analytics, isOn: Bool) {
        self.isOn = isOn
        client = { [weak analytics] in analytics }
        guard isOn else { return }
        let traces = analytics.observeTraces { [weak self] in self?.take(trace: $0) }
        let signals = analytics.observeSignals { [weak self] in self?.take(signal: $0) }
        let diagnostics = analytics.observeDiagnostics { [weak self] in self?.take($0) }
        observations.withLock { $0 = [traces, signals, diagnostics] }
        readBundle()
    }

    deinit { stop() }

    /// The recording so far.
    public var log: InspectorLog { kept.withLock { $0 } }

    /// The recording, and what the client does now. Reads one event of the queue from disk, so not for each frame.
    public var state: InspectorState { InspectorState(log: log, client: isOn ? facts : nil, isOn: isOn) }

    /// The counters of the client; nil when the client is gone.
    public var eventCounters: EventCounters? { client()?.counters }

    /// Whether delivery is held: events go through the plugins and stay on the device. When this becomes false, the client
    /// sends the events that are due. The switch is in memory only, so a restart of the app delivers again, and so does
    /// `stop()`. Default: false.
    ///
    /// An inspector that is off does not change it.
    public var holdsDelivery: Bool {
        get { client()?.holdsDelivery ?? false }
        set {
            guard isOn else { return }
            client()?.holdsDelivery = newValue
            observers.tell(())
        }
    }

    /// Deletes the recording.
    public func clear() {
        kept.withLock { $0 = InspectorLog() }
        observers.tell(())
    }

    /// Ends the recording and keeps its content. Delivery is not held any more.
    public func stop() {
        for observation in observations.exchange([]) { observation.cancel() }
        if isOn { client()?.holdsDelivery = false }
    }

    /// Calls the handler after each change of `log` and of `holdsDelivery`. A change of the log comes on a thread of the client,
    /// which waits for the handler.
    public func observe(_ handler: @escaping @Sendable () -> Void) -> Observation {
        let id = observers.add(handler)
        return Observation { [observers] in observers.remove(id) }
    }

    // MARK: Recording

    private func take(trace: JSON) {
        readBundle()
        kept.withLock { $0.add(trace: trace) }
        observers.tell(())
    }

    private func take(signal: JSON) {
        kept.withLock { $0.add(signal: signal) }
        observers.tell(())
    }

    private func take(_ diagnostic: Diagnostic) {
        if diagnostic.kind == .livePlugins { readBundle() }
        kept.withLock { $0.add(diagnostic) }
        observers.tell(())
    }

    /// The bundle changes between two events; each event and each report of the live plugins is a reason to look.
    private func readBundle() {
        client()?.readBundle { [weak self] bundle in
            guard let self, self.bundle.exchange(bundle) != bundle else { return }
            observers.tell(())
        }
    }

    // MARK: The client

    private var facts: InspectorState.Client? {
        guard let client = client() else { return nil }
        let user = client.userInfo
        return InspectorState.Client(
            consent: client.consent, consentCategories: client.consentCategories, isEnabled: client.enabled,
            anonymousId: user.anonymousId, userId: user.userId, storage: client.storageState,
            oldestWaiting: client.oldestWaiting.map { Date(timeIntervalSince1970: Double($0) / 1000) },
            delivery: client.deliveryState, holdsDelivery: client.holdsDelivery, counters: client.counters,
            livePlugins: InspectorState.Client.LivePlugins(bundle.current),
            workspacePage: WorkspacePage.address(
                uploads: client.uploadURL(host: nil), writeKey: client.writeKey, anonymousId: user.anonymousId))
    }
}

extension InspectorState.Client.LivePlugins {
    fileprivate init(_ bundle: BundleInUse) {
        switch bundle {
        case .none: self = .none
        case .ofApp: self = .ofApp
        case .deployed(let version): self = .deployed(version: version)
        }
    }
}
