/// Every limit of the client, each with the rule that it mirrors.
enum Limits {
    /// Bytes of one event. The protocol's servers refuse more than 32 KB.
    static let eventBytes = 32 * 1024
    /// Arrays and objects of an event that may stand in one another. Readers of JSON, the workspace's included, refuse
    /// more than 128 levels, and a batch adds two.
    static let eventDepth = 120
    /// The same for what is kept of the user: traits that are left out of an event for their depth are kept.
    static let identityDepth = 256
    /// Bytes of a batch with its envelope, before compression: the protocol's 500 KB.
    static let batchBytes = 500_000
    /// Bytes that a batch is not made smaller than because a server finds it too large; single events may be smaller.
    static let smallestBatchBytes = 1024
    /// Bytes that a batch is not made smaller than because there was no answer in time.
    static let slowBatchBytes = 32 * 1024
    /// Batches of a reduced size that are confirmed before a larger one is tried.
    static let batchesBeforeGrowth = 16
    /// Events of a batch: the protocol's own number.
    static let batchEvents = 2500
    /// Bytes of settings that are read; real ones are a few KB.
    static let settingsBytes = 4 << 20
    /// Bytes of a small file of the client's own, as the session or what the user consented to.
    static let keptFileBytes = 8 << 20
    /// Seconds between two looks whether the disk can be read, at the most.
    static let longestLookPause = 30.0
    /// Events kept in memory while the disk refuses them.
    static let memoryEvents = 1000
    /// Values without a JSON form that one diagnostic names.
    static let namedValues = 20
    /// Members of an event that room is made for at once; more of them are no error.
    static let usualMembers = 12
    /// Events that go from the call to the pipeline without being read back from disk: a thread that tracks as fast as
    /// it can makes fewer in a time slice of the system.
    static let recentEvents = 1024
    /// Bytes of those events as text; as values they take a few times as much.
    static let recentEventBytes = 1 << 20
    /// Events that wait for one device-mode destination: as many as the field's client keeps until it starts.
    static let destinationEvents = 1000
    /// Seconds that one call of a destination may take before nobody waits for it any more.
    static let destinationTimeout = 5.0
    /// Seconds that everybody waits for a destination whose queue is full, before it loses events instead.
    static let destinationPatience = 0.1
    /// Events that destinations get at once, because waking a thread for each would cost more than most events.
    static let eventsPerDispatch = 16
    /// Events that are processed before the executor turns to other work.
    static let eventsPerTurn = 64
    /// Seconds from 1970 to the last time of an event that is taken: the year 9999, which the format ends with.
    static let latestTimestamp = 253_402_300_800.0
    /// Events of a queue on which middleware may decide later and that survive the process meanwhile: as many as the field's
    /// client keeps until it starts.
    static let deferredEvents = 1000
    /// Calls with enrichment closures whose closures are kept until the event is processed.
    static let pendingClosures = 1000
    /// Stage traces waiting to be sent to the inspector.
    static let pendingTraces = 20_000
    /// Changes listed for one plugin and one event in a trace.
    static let tracedChanges = 40
    /// Seconds after which a request counts as unanswered, and more of them for its body.
    static let requestDeadline = 15.0
    /// Seconds that events may wait for settings and plugins, and still for a flush policy after that. Where the settings
    /// host is silent, they are delivered after its 10 s.
    static let longStart = 5.0
    /// Event queues of ended processes that are emptied at once; each costs one batch of memory.
    static let adoptedQueues = 4
    /// Seconds between two looks for event queues of ended processes.
    static let adoptionInterval = 300.0
    /// Seconds between two looks whether the files are still there.
    static let storageCheckInterval = 20.0
    /// Bytes a second of the slowest line that a batch is sent over.
    static let slowestBytesPerSecond = 8_000.0
    /// Seconds after a deadline in which a transport can still say itself why there is no answer.
    static let deadlineGrace = 1.0
    /// Bytes of the head of an answer; servers and proxies send at most a few KB.
    static let answerHeadBytes = 256 << 10
    /// Connections to one server at a time, and those kept for later requests: as many as `URLSession` is told to use.
    static let connectionsPerHost = 2
    static let idleConnections = 4
    /// Seconds that a connection is kept without a request: longer than the usual interval of flushes.
    static let idleConnectionSeconds = 60.0
    /// Seconds of the longest deadline of a request: a year, so that no number of seconds is too much for a clock.
    static let longestDeadline = 31_536_000.0
    /// Seconds that the end of the process waits for the threads of requests, which are at one thing for some milliseconds;
    /// on a busy machine that may take long.
    static let exitSeconds = 10.0
    /// Bytes of the answer to a batch that are read; its status says all.
    static let batchAnswerBytes = 64 << 10
    /// Seconds for which the system tries to send a copy of what waits.
    static let copyDeadline = 7.0 * 86_400
    /// Refusals in a row before delivery pauses: enough to find two bad events in a full batch.
    static let refusalsInARow = 32
    /// Failures in a row beyond which they are not counted.
    static let countedFailures = 1_000_000
    /// Seconds between two requests that an app's own flushes bring about during a pause: with those after each pause, fewer
    /// than 80 an hour.
    static let askInterval = 60.0
    /// Seconds of the longest pause after launches that ended before their first answer.
    static let unansweredLaunchPause = 30.0
    /// Seconds for which it is believed that there is no network.
    static let doubtfulObstacle = 900.0
    /// Servers that are remembered for taking no compressed bodies, and seconds until one is tried again.
    static let plainHosts = 8
    static let plainHostSeconds = 7.0 * 86_400
    /// Bytes of the file with the state of delivery; real ones have less than 1 KB.
    static let retryStateBytes = 64 << 10
    /// Bytes of the file with the counts for the next health report; real ones have a few KB.
    static let healthFileBytes = 128 << 10
    /// Statuses with a rule of their own in `httpConfig`.
    static let statusOverrides = 300
    /// Seconds that a flush waits for plugins that say when they are done.
    static let pluginFlushTimeout = 30.0
    /// Events that a flush policy may be behind before it is not shown more.
    static let pendingPolicyEvents = 4096
    /// Seconds of the longest wait for a flush: a year, so that no number of seconds is too much for a clock.
    static let flushTimeout = 31_536_000.0
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
    /// Seconds after which what can change in the context is read again, where the system does not report changes.
    static let contextInterval = 60.0
}
