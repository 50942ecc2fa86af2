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
    /// Bytes of one log of a client on disk: half of the 50 MB that inbox and outbox may take together.
    static let logBytes = 25 << 20
    /// Diagnostics that a slow reader may fall behind before the oldest are dropped.
    static let pendingDiagnostics = 256
    /// Bytes of a file of another library that are read. Theirs hold one batch, 475 KB, and the event that went over.
    static let migratedFileBytes = 8 << 20
    /// Files with events of another library that are taken over, oldest first; theirs are not bounded.
    static let migratedFiles = 1000
    /// Bytes of an id of another library. Real ones are UUIDs and mail addresses.
    static let migratedIdBytes = 1024
    /// Traits of one user that are remembered to find repetitions.
    static let rememberedTraits = 1000
    /// Names of events whose rate is watched at a time.
    static let limitedNames = 1000
    /// Bytes of a file of the system that are read for the context. Real ones have a few hundred.
    static let systemFileBytes = 16 * 1024
    /// Seconds after which what can change in the context is read again, where no one tells of changes.
    static let contextInterval = 60.0
}
