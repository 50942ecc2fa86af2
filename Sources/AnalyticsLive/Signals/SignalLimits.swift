import Tributary

/// Every limit of signals that no configuration can change, each with its reason.
package enum SignalLimits {
    /// The most signals that a configuration may keep. Each takes some KB in memory.
    static let bufferedSignals = 100_000
    /// Bytes of one signal as JSON: room for an event, which has a limit of 32 KB, or for a body, and for the rest of the
    /// signal.
    package static let signalBytes = 256 * 1024
    /// Bytes of all kept signals. That is a quarter of the limit for scripts, which hold the signals, too.
    package static let bufferBytes = 16 << 20
    /// Signals that wait for one broadcaster.
    static let waitingForBroadcaster = 1000
    /// Seconds between two diagnostics about signals lost in the same place.
    static let lossReportInterval = 10.0
    /// Signals that are processed before the executor processes events.
    static let signalsPerTurn = 16
    /// Signals that wait for an upload to an address, and below signals in one upload.
    static let waitingToBeSent = 1000
    static let batchSignals = 50
    /// Bytes of an answer to signals that are read. Only its status matters.
    static let answerBytes = 4096
    /// The pauses after failed uploads.
    static let pauses = Backoff(first: 2, longest: 300)
    /// Bytes of a recorded session.
    static let recordedBytes = 64 << 20
    /// Seconds of the shortest interval between two relays.
    static let shortestRelayInterval = 0.1
}
