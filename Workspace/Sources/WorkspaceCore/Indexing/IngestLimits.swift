extension Limits {
    /// A body that has more bytes, or inflates to more, is checked elsewhere than on the event loop of its connection.
    package static let checkedOnEventLoop = 64 << 10
    /// One event as JSON text (protocol: 32 KB).
    static let eventBytes = largestEvent
    package static let largestEvent = 32 << 10
    /// The most that indexing a request may cost, in bytes of text: so much for each byte of its body, and some more, so that a
    /// short request has room. Each item costs its text, with what the batch adds, and some more for its row.
    static let costOfByte = 256
    static let costOfRequest = 256 << 10
    static let costOfItem = 1_024
    /// And so much for each user that the batch names for all of its events.
    static let costOfUser = 256
    /// Items that the indexer reads before it looks whether it has to end.
    static let itemsBetweenLooks = 64
    /// Events in a batch (protocol: 2,500).
    package static let eventsInBatch = 2_500
    /// Characters of a message id (protocol: fewer than 100).
    static let messageIdLength = 99
    /// One trace as JSON text: an event twice, before and after each stage, and some more.
    static let traceBytes = 128 << 10
    /// One signal as JSON text; a body of a request that the app made may be in it.
    static let signalBytes = 64 << 10
    /// How long an import waits until its events are stored. After that the answer only says that they are on disk.
    package static let importPatience = Duration.seconds(20)
    /// Requests that keep their results while an import runs.
    package static let outcomes = 4_096
    /// Requests that the indexer reads at once, their bytes as they arrived, and bytes of inflated events that it
    /// stores in one transaction.
    package static let requestsReadAtOnce = 1_000
    package static let bytesReadAtOnce = 8 << 20
    package static let bytesInTransaction = 8 << 20
    /// How long the indexer waits after the storage failed.
    package static let indexerPause = Duration.seconds(1)
    /// Refused requests that are kept for operators, and those of one address.
    package static let refusals = 200
    package static let refusalsOfAddress = 10
}
