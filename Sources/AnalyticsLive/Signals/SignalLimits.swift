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
    /// Seconds between two diagnostics of signals that were lost in the same place.
    static let lossReportInterval = 10.0
    /// Signals that are processed before the executor turns to events.
    static let signalsPerTurn = 16
    /// Signals that wait to be sent to an address, and those that are sent at once.
    static let waitingToBeSent = 1000
    static let batchSignals = 50
    /// Bytes of an answer to signals that are read; its status says all.
    static let answerBytes = 4096
    /// Seconds of the first pause after signals could not be sent, doubled each time, and of the longest.
    static let shortestPause = 2.0
    static let longestPause = 300.0
    /// Bytes of a recorded session.
    static let recordedBytes = 64 << 20
    /// Seconds of the shortest interval between two relays.
    static let shortestRelayInterval = 0.1
}
