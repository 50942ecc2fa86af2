/// Every limit of signals that no configuration can change, each with its reason.
package enum SignalLimits {
    /// Signals that a configuration may keep at the most; each is some KB in memory.
    static let bufferedSignals = 100_000
    /// Bytes of one signal as JSON: room for an event, whose limit is 32 KB, or a body, and what belongs to them.
    package static let signalBytes = 256 * 1024
    /// Bytes of all signals that are kept. A quarter of what scripts may hold, in which they stand once more.
    package static let bufferBytes = 16 << 20
    /// Signals that wait for one broadcaster.
    static let waitingForBroadcaster = 1000
    /// Signals that are processed before the executor turns to events.
    static let signalsPerTurn = 16
    /// Seconds of the shortest interval between two relays.
    static let shortestRelayInterval = 0.1
}
