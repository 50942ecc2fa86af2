/// Every limit of the client, with its reason.
enum Limits {
    /// Bytes of one event. Servers of the protocol refuse more than 32 KB.
    static let eventBytes = 32 * 1024
    /// Levels for stored data of the user. Traits that are too deep for an event are still stored.
    static let identityDepth = 256
    /// Bytes of a batch with its envelope, before compression: the protocol's 500 KB.
    static let batchBytes = 500_000
    /// The smallest size in bytes to which a batch is reduced when a server finds it too large. A single event may be
    /// smaller.
    static let smallestBatchBytes = 1024
    /// The smallest size in bytes to which a batch is reduced when there is no answer in time.
    static let slowBatchBytes = 32 * 1024
    /// Confirmed batches of a reduced size before a larger one is tried.
    static let batchesBeforeGrowth = 16
    /// Events in a batch: the protocol's limit.
    static let batchEvents = 2500
    /// Bytes of settings that are read. Real ones have a few KB.
    static let settingsBytes = 4 << 20
    /// Bytes of a small file of the client, for instance the session or the consent.
    static let keptFileBytes = 8 << 20
    /// The times between attempts to read the disk at the start.
    static let looks = Backoff(first: 1, longest: 30)
    /// Events kept in memory while the disk refuses them.
    static let memoryEvents = 1000
    /// Values without a JSON form that one diagnostic lists.
    static let namedValues = 20
    /// Members of an event for which room is reserved. More members are allowed.
    static let usualMembers = 12
    /// Events that go from the call to the pipeline without being read from disk. A thread that tracks as fast as it
    /// can makes fewer in one time slice of the system.
    static let recentEvents = 1024
    /// Bytes of those events as text. As values they take several times as much.
    static let recentEventBytes = 1 << 20
    /// Events that wait for one device-mode destination: as many as analytics-swift keeps before it starts.
    static let destinationEvents = 1000
    /// The longest time in seconds for one call of a destination before it counts as stuck.
    static let destinationTimeout = 5.0
    /// Seconds that the pipeline waits for a destination with a full queue before the destination loses events.
    static let destinationPatience = 0.1
    /// Events that a destination gets at once. Waking a thread for each event would cost more than most events.
    static let eventsPerDispatch = 16
    /// Events that are processed before the executor does other work.
    static let eventsPerTurn = 64
    /// Undecided events of a queue that survive the end of the process: as many as analytics-swift keeps before it
    /// starts.
    static let deferredEvents = 1000
    /// Calls with enrichment closures that are kept until their event is processed.
    static let pendingClosures = 1000
    /// Stage traces that wait to be sent.
    static let pendingTraces = 20_000
    /// The same for traces that a server ordered, on a device of a user.
    static let pendingOrderedTraces = 500
    /// Changes listed for one plugin and one event in a trace.
    static let tracedChanges = 40
    /// Seconds after which a request counts as unanswered. Its body adds to that.
    static let requestDeadline = 15.0
    /// Seconds after which events that waited for the start do not also wait for a flush policy. When the settings host
    /// does not answer, events are delivered after its 10 s.
    static let longStart = 5.0
    /// Queues of ended processes that are emptied at the same time. Each costs the memory of a batch.
    static let adoptedQueues = 4
    /// Seconds between two searches for queues of ended processes.
    static let adoptionInterval = 300.0
    /// Seconds between two checks whether the files are still there. That is longer than the usual interval of flushes:
    /// a flush that sends everything leaves nothing to check, so the check does not wake the device.
    static let storageCheckInterval = 35.0
    /// The same while events are tracked and processed anyway, so that a check wakes nothing.
    static let checkIntervalAtWork = 1.0
    /// The same while the disk does not take events, and for files with a lease, which a check renews.
    static let checkIntervalInTrouble = 20.0
    /// Bytes per second of the slowest connection that a batch is sent over.
    static let slowestBytesPerSecond = 8_000.0
    /// Seconds after a deadline in which a transport can still report why there is no answer.
    static let deadlineGrace = 1.0
    /// Bytes of the head of an answer; servers and proxies send at most a few KB.
    static let answerHeadBytes = 256 << 10
    /// Connections to one server at a time, and connections kept for later requests: the same number as for
    /// `URLSession`.
    static let connectionsPerHost = 2
    static let idleConnections = 4
    /// Seconds that a connection is kept without a request. That is longer than the usual interval of flushes.
    static let idleConnectionSeconds = 60.0
    /// The longest deadline of a request in seconds: a year, so that no value overflows a clock.
    static let longestDeadline = 31_536_000.0
    /// Seconds that the end of the process waits for the threads of requests. They need some milliseconds, on a busy
    /// machine more.
    static let exitSeconds = 10.0
    /// Bytes of the answer to a batch that are read. Only its status matters.
    static let batchAnswerBytes = 64 << 10
    /// Seconds for which the system tries to send a copy of waiting events.
    static let copyDeadline = 7.0 * 86_400
    /// Refusals in a row before delivery pauses: enough to find two refused events in a full batch.
    static let refusalsInARow = 32
    /// The highest number of failures in a row that is counted.
    static let countedFailures = 1_000_000
    /// Seconds between two requests that an app's own flushes cause during a pause. With the requests after each pause,
    /// that is fewer than 80 an hour.
    static let askInterval = 60.0
    /// The longest pause in seconds after launches that ended before their first answer.
    static let unansweredLaunchPause = 30.0
    /// Seconds after which the client tries in spite of a report that there is no network.
    static let doubtfulObstacle = 900.0
    /// Servers that are remembered for accepting no compressed bodies, and below the seconds until one is tried again.
    static let plainHosts = 8
    static let plainHostSeconds = 7.0 * 86_400
    /// Bytes of the file with the retry state. Real ones have less than 1 KB.
    static let retryStateBytes = 64 << 10
    /// Bytes of the file with the counts for the next health report. Real ones have a few KB.
    static let healthFileBytes = 128 << 10
    /// Statuses with a rule in `httpConfig`.
    static let statusOverrides = 300
    /// Seconds that a flush waits for plugins that report their end.
    static let pluginFlushTimeout = 30.0
    /// Events that a flush policy may be behind before it misses further ones.
    static let pendingPolicyEvents = 4096
    /// The longest wait for a flush in seconds: a year, so that no value overflows a clock.
    static let flushTimeout = 31_536_000.0
    /// Diagnostics that a slow reader may be behind before the oldest are dropped.
    static let pendingDiagnostics = 256
    /// Bytes of a file of another library that are read. Such files hold one batch, 475 KB, and the event that exceeded
    /// it.
    static let migratedFileBytes = 8 << 20
    /// Files with events of another library that are taken over, oldest first. The other library has no limit.
    static let migratedFiles = 1000
    /// Bytes of an id of another library. Real ones are UUIDs and mail addresses.
    static let migratedIdBytes = 1024
    /// Traits of one user that are remembered to find repetitions.
    static let rememberedTraits = 1000
    /// Event names with a limited rate at a time.
    static let limitedNames = 1000
    /// Bytes of a system file that are read for the context. Real ones have a few hundred.
    static let systemFileBytes = 16 * 1024
    /// Seconds after which changing facts of the context are read again, on systems that do not report changes.
    static let contextInterval = 60.0
}
