import WorkspaceCore

extension Limits {
    /// Bytes of events of one source that wait in memory for its scripts. The others stay in the journal.
    static let scriptLaneBytes = 16 << 20
    /// Events that a lane takes at once, and that a worker gets in one question; bytes of the events in a question.
    static let scriptEventsAtOnce = 2_000
    static let scriptEventsInQuestion = 256
    static let scriptBytesInQuestion = 1 << 20
    /// How long a worker may take for a question. Scripts are stopped after 100 ms for each event and place, so this is only
    /// for work of the engine that nothing can stop, and for many events that just keep to that budget.
    static let workerPatience = Duration.seconds(30)
    /// How long a worker may take to start and to load a bundle.
    static let workerStart = Duration.seconds(15)
    /// How often the counts of a worker become a health report.
    static let scriptHealthPause = Duration.seconds(5)
    /// A worker without events ends after this time.
    static let workerIdleTime = Duration.seconds(60)
    /// How often the same event may end a worker in a row, before its version does not run any more.
    static let workerDeaths = 2
    /// How long a reader waits for events that are with scripts.
    static let patienceWithScripts = Duration.milliseconds(500)
    /// How often in a row a process that ends while it is loaded is started, and when it is tried again.
    static let workerStarts = 3
    static let workerPause = Duration.seconds(60)
    /// How long a node waits for the scripts of a block, while other sources of the partition wait, too. A source that takes
    /// longer goes on without scripts for the pause.
    static let scriptBlockPatience = Duration.seconds(10)
    static let scriptBlockPause = Duration.seconds(60)
    /// The share of the journal that requests may take while scripts hold them up; beyond, the events go on as they are.
    static let scriptJournalShare = 2
}
