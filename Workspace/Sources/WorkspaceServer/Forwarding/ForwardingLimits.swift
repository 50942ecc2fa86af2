import WorkspaceCore

extension Limits {
    /// Destinations of a source, and characters of the name of one.
    static let destinationsOfSource = 50
    /// Events of which one answer says where they went.
    static let proofEvents = 100
    /// Text of an address that events are forwarded to.
    static let urlBytes = 2_048
    /// How long a replaced secret signs beside the new one: a day.
    static let secretOverlapMilliseconds: Int64 = 24 * 3_600_000
    /// Events that a destination reads at once.
    static let forwardedAtOnce = 200
    /// Events of a destination that wait for another attempt; beyond this number no new ones are read.
    static let undelivered = 10_000
    /// Milliseconds before results of delivery are written, because unwritten ones are sent again after a crash; and
    /// before the position of reading is written, which only costs another read.
    static let forwardingPause: Int64 = 200
    static let positionPause: Int64 = 5_000
    /// The same in a cluster, where each write is a change for all nodes. Events that a node delivered since then
    /// before it died are delivered again.
    static let sharedForwardingPause: Int64 = 10_000
    /// Milliseconds until the events of a destination are read again after a failed read.
    static let forwardingRetry: Int64 = 1_000
    /// How long a destination waits for further events after a commit.
    static let forwardingDelay = Duration.milliseconds(10)
    /// How long the requests under way may take when the server stops.
    static let forwardingStop = Duration.seconds(3)
    /// The same when the last request failed or there was none, so that a dead destination does not delay the stop.
    static let forwardingStopUnproven = Duration.milliseconds(250)
    /// Headers of a webhook, characters of the name and bytes of the value of one.
    static let webhookHeaders = 20
    static let webhookHeaderName = 100
    static let webhookHeaderValue = 2_048
    /// Events of one request of a webhook, and of one write to a file.
    static let webhookBatch: Int64 = 500
    static let fileBatch = 500
    /// Bytes of the events that are handed over together.
    static let batchBytes = 4 << 20
    /// Events of a destination with batches that are on their way at a time.
    static let eventsUnderWay = 2_000
    /// How long after its end an hour is still open for events of it, and the time between two looks for such hours.
    static let fileGraceMilliseconds: Int64 = 60_000
    static let filePause = Duration.seconds(30)
    /// Characters of a key of a store of objects, of a region, and bytes of what names of objects begin with.
    static let s3Key = 256
    static let s3Region = 64
    static let s3Prefix = 512
    /// Bytes of the document that explains an error of such a store.
    static let s3Answer = 16 << 10
    /// Rows and bytes of the events that are written together, and rows that are read at once.
    static let objectRows = 100_000
    static let objectBytes = 32 << 20
    static let objectPage = 1_000
    /// How far rows of the next hour may be among those of an hour, because requests are stored side by side.
    static let objectHourMoment: Int64 = 2_000
    /// How long writing an object may take, and the time between two looks for new events.
    static let objectTimeoutSeconds: Int64 = 120
    static let objectPause = Duration.seconds(1)
    /// Milliseconds after which a destination that gets no events remembers how far it has looked.
    static let objectMove: Int64 = 600_000
    /// Events of a destination that wait for an attempt; with more, a replay hands nothing over.
    static let replayWaiting = 2_000
    /// Events a second that a replay can be limited to.
    static let replayRate: Int64 = 100_000
    /// Between two looks for replays that may go on, and the time for counting what one would send.
    static let replayPause = Duration.seconds(1)
    static let replayTrial = Duration.seconds(30)
    /// Filter rules of a destination that are counted by their names.
    static let namedRules = 50
    /// Dead letters that one request names.
    static let namedDeadLetters = 1_000
}
