/// Every limit of the client, each with the rule that it mirrors.
enum Limits {
    /// Bytes of one event. The protocol's servers refuse more than 32 KB.
    static let eventBytes = 32 * 1024
    /// Bytes of a batch before compression. The protocol allows 500 KB; the rest is room for the envelope.
    static let batchBytes = 475_000
    /// Events of a batch: the protocol's own number.
    static let batchEvents = 2500
    /// Bytes of settings that are read; real ones are a few KB.
    static let settingsBytes = 4 << 20
    /// Events kept in memory while the disk refuses them.
    static let memoryEvents = 1000
    /// Calls with enrichment closures whose closures are kept until the event is processed.
    static let pendingClosures = 1000
    /// Stage traces waiting to be sent to the inspector.
    static let pendingTraces = 20_000
    /// Changes listed for one plugin and one event in a trace.
    static let tracedChanges = 40
    /// Seconds after which a request counts as unanswered.
    static let requestDeadline = 15.0
    /// Lanes of ended processes that are emptied at once; each costs one batch of memory.
    static let adoptedLanes = 4
    /// Seconds between two looks for lanes that were left behind.
    static let adoptionInterval = 300.0
    /// Seconds between two looks whether the files are still there.
    static let storageCheckInterval = 10.0
    /// Diagnostics that a slow reader may fall behind before the oldest are dropped.
    static let pendingDiagnostics = 256
}
