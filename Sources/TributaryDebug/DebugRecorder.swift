public import Tributary
import TributaryJSON

/// Records the last events of a client, what each plugin did to them, and the client's diagnostics.
///
/// ```swift
/// let recorder = DebugRecorder(analytics)
/// recorder.log.events.first.map { print($0.name ?? $0.type, $0.steps) }
/// ```
///
/// In a release build it records nothing. It keeps at most what `DebugLimits` says, only in memory, and it sends nothing.
/// It may be used from any thread.
public final class DebugRecorder: Sendable {
    /// Whether this library records: true in debug builds, false in release builds.
    public static var isAvailable: Bool {
        #if DEBUG
        true
        #else
        false
        #endif
    }

    private let kept = LockBox(DebugLog())
    private let observers = Observers<Void>()
    private let observations = LockBox<[Observation]>([])
    private let counters: @Sendable () -> EventCounters?

    /// Begins to record. The recorder does not keep the client alive.
    public convenience init(_ analytics: Analytics) { self.init(analytics, isOn: Self.isAvailable) }

    /// - Parameter isOn: whether it records; tests try what a release build does.
    init(_ analytics: Analytics, isOn: Bool) {
        counters = { [weak analytics] in analytics?.counters }
        guard isOn else { return }
        let traces = analytics.observeTraces { [weak self] in self?.take($0) }
        let diagnostics = analytics.observeDiagnostics { [weak self] in self?.take($0) }
        observations.withLock { $0 = [traces, diagnostics] }
    }

    deinit { stop() }

    /// The recording so far.
    public var log: DebugLog { kept.withLock { $0 } }

    /// The counters of the client; nil when the client is gone.
    public var eventCounters: EventCounters? { counters() }

    /// Deletes the recording.
    public func clear() {
        kept.withLock { $0 = DebugLog() }
        observers.tell(())
    }

    /// Ends the recording, and keeps its content.
    public func stop() {
        for observation in observations.withLock({ $0 }) { observation.cancel() }
    }

    /// Calls the handler after each change of `log`, on a thread of the client, which waits for it.
    public func observe(_ handler: @escaping @Sendable () -> Void) -> Observation {
        let id = observers.add(handler)
        return Observation { [observers] in observers.remove(id) }
    }

    private func take(_ trace: JSON) {
        kept.withLock { $0.add(trace: trace) }
        observers.tell(())
    }

    private func take(_ diagnostic: Diagnostic) {
        kept.withLock { $0.add(diagnostic) }
        observers.tell(())
    }
}
