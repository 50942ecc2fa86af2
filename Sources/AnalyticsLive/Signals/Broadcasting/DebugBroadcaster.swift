public import Tributary
import TributaryJSON

/// Prints each signal unchanged to the console, in every build configuration, and keeps the latest for tests.
public final class DebugBroadcaster: SignalBroadcaster, RecordBroadcaster, Sendable {
    private struct State {
        weak var analytics: Analytics?
        var signals = Ring<any RawSignal>()
    }

    private let state = LockBox(State())
    private let write: @Sendable (String) -> Void

    /// Prints to the standard output.
    public convenience init() { self.init { print($0) } }

    package init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    public var analytics: Analytics? {
        get { state.withLock { $0.analytics } }
        set { state.withLock { $0.analytics = newValue } }
    }

    /// The latest signals, oldest first; at most 1,000.
    public var signals: [any RawSignal] {
        state.withLock { state in
            var all: [any RawSignal] = []
            state.signals.forEach { all.append($0) }
            return all
        }
    }

    /// The latest signal.
    public var last: (any RawSignal)? { signals.last }

    /// A signal that was emitted somewhere else.
    public func added(signal: any RawSignal) {
        take(signal)
    }

    func added(record: SignalRecord) {
        write("signal \(record.text)")
        state.withLock { state in
            if state.signals.count >= SignalLimits.waitingForBroadcaster { _ = state.signals.popFirst() }
            state.signals.append(record.signal)
        }
    }

    public func relay() {}

    /// Forgets the latest signals.
    public func forget() { state.withLock { $0.signals = Ring() } }
}
