/// Every limit of the server, each with the rule of the protocol behind it.
enum Limits {
    /// Body of an ingest request, before and after inflating. The protocol's batch is 500 KB; clients of the field
    /// write files somewhat beyond that, so the refusal comes later than theirs.
    static let ingestBody = 4 << 20
    /// The least memory for bodies, and the most for those of senders that have not shown a write key.
    static let leastBodyMemory = 16 << 20
    static let bodiesOfUnknownSenders = 8 << 20
    /// Bytes of a body in which a write key is looked for before the rest has come.
    static let bodyBeginning = 4 << 10
    /// A body has to come with that many bytes a second, after a time in which it need not. Only the time in which the server
    /// waits for its client counts.
    static let bodyBytesPerSecond: Int64 = 1_024
    static let bodyGrace = Duration.seconds(20)
    /// What a request may have besides its body: its head, the heads of chunks with their extensions, trailers, and empty
    /// lines before it; and how much more of it for each byte of the body. A chunk of one byte has five bytes besides.
    static let framingBytes = 128 << 10
    static let framingBytesOfBodyByte = 16
    /// How long the rest of a body may still come after the answer.
    static let restOfBody = Duration.seconds(10)
    /// When the server ends: how long the rest of a body may still come, and how long a client may take nothing of its answer.
    static let restOfConnection = Duration.seconds(2)
    /// How long a client may take nothing of its answer, and the time between two looks at that.
    static let untakenAnswer = Duration.seconds(30)
    static let connectionLook = Duration.seconds(5)
    /// A client that has taken nothing for that long may lose its connection to a new one, where all are in use.
    static let blockedMoment = Duration.seconds(1)
    /// The most bytes that are read from a connection at a time. The bytes wait in the connection's own memory until
    /// the body has a place in `BodyMemory`.
    static let readAtOnce = 16 << 10
    /// The part of the connections that is kept for administrators, when other connections use up the rest.
    static let partForAdministrators = 16
    /// A body that has more bytes, or inflates to more, is checked elsewhere than on the event loop of its connection.
    static let checkedOnEventLoop = 64 << 10
    /// One event as JSON text (protocol: 32 KB).
    static let eventBytes = 32 << 10
    /// Text of a time that is read.
    static let timeBytes = 64
    /// What indexing a request may cost, in bytes of text: so much for each byte of its body, and some more, so that a
    /// short request has room. Each item costs its text, with what the batch adds, and some more for its row.
    static let costOfByte = 256
    static let costOfRequest = 256 << 10
    static let costOfItem = 1_024
    /// And so much for each user that the batch names for all of its events.
    static let costOfUser = 256
    /// Items that the indexer reads before it looks whether it has to end.
    static let itemsBetweenLooks = 64
    /// Users of one row that have an entry each. A row that names more users has one entry, which says that
    /// it may name any user.
    static let mentionsOfRow = 32
    /// How often a node of a cluster looks how far partitions are stored, and how often it removes stored records from the log.
    static let clusterLook = Duration.milliseconds(200)
    static let clusterTrim = Duration.seconds(60)
    /// How often a node looks whether other nodes received health reports.
    static let healthLook = Duration.milliseconds(500)
    /// Events in a batch (protocol: 2,500).
    static let eventsInBatch = 2_500
    /// Characters of a message id (protocol: fewer than 100).
    static let messageIdLength = 99
    /// Characters of an event's name, user id or anonymous id that is kept as a column.
    static let identifierLength = 1_024
    /// One trace as JSON text: an event twice, before and after each stage, and some more.
    static let traceBytes = 128 << 10
    /// One signal as JSON text; a body of a request that the app made may be in it.
    static let signalBytes = 64 << 10
    /// Body of a live plugin bundle.
    static let bundleBytes = 1 << 20
    /// Body of the other administrative requests.
    static let administrationBody = 1 << 20
    /// Characters of an admin token that an operator chose.
    static let shortestToken = 20
    static let longestToken = 512
    /// Open files that are reserved for databases, the journal and destinations, however many clients connect; half of
    /// the files where the system allows few.
    static let reservedFiles = 512
    /// Wrong tokens that one address may send in a minute, and the number of addresses that are remembered for it.
    static let guesses = 10
    static let guessMilliseconds: Int64 = 60_000
    static let guessers = 10_000
    /// Named tokens, and characters of the name of one.
    static let namedTokens = 1_000
    static let tokenNameLength = 100
    /// Bytes of the address that a reader gets to see after logging in.
    static let loginTarget = 2_000
    /// How exactly the last use of a named token is stored.
    static let tokenUseMilliseconds: Int64 = 3_600_000
    /// Body of a login.
    static let loginBody = 4 << 10
    /// Logins on the page at once; how long one lasts without being used: twelve hours; and at most: 30 days.
    static let logins = 400
    static let loginMilliseconds: Int64 = 12 * 3_600_000
    static let longestLoginMilliseconds: Int64 = 30 * 24 * 3_600_000
    /// The largest quota of a source; more is no quota.
    static let largestQuota = 1_000_000_000_000
    /// Keys of a source, valid and revoked, and characters of the name of one.
    static let keysOfSource = 100
    static let keyNameLength = 100
    static let sourceNameLength = 200
    /// Rows that an export reads at once; with the longest events they are some megabytes.
    static let exportRows = 200
    /// Columns that a CSV export may have.
    static let exportColumns = 100
    /// How long a request waits for an event by default and at most, and for how many events.
    static let waitSeconds: Int64 = 10
    static let longestWaitSeconds: Int64 = 60
    static let waitedEvents: Int64 = 100
    /// How long an import waits until its events are stored. After that the answer only says that they are on disk.
    static let importPatience = Duration.seconds(20)
    /// Requests whose results are remembered while an import runs.
    static let outcomes = 4_096
    /// Requests that wait for an event at once.
    static let waitingRequests = 400
    /// Nesting of arrays and objects in any JSON that is read.
    static let depth = 128
    /// Characters of a write key.
    static let writeKeyLength = 128
    /// Size of a file of the journal; indexed requests are deleted by whole files.
    static let journalSegmentBytes = 16 << 20
    /// Requests that the indexer reads at once, their bytes as they arrived, and bytes of inflated events that it
    /// stores in one transaction.
    static let requestsReadAtOnce = 1_000
    static let bytesReadAtOnce = 8 << 20
    static let bytesInTransaction = 8 << 20
    /// Memory of the writers of the newest day and of the index of messages, and pages of a log before they go to the
    /// file.
    static let dayCacheKilobytes = 24 << 10
    static let workspaceCacheKilobytes = 4 << 10
    /// The part of a file that a reading connection keeps in memory.
    static let readerCacheKilobytes = 4 << 10
    static let pagesInLog = 8_000
    /// The newest messages that are in memory and in the database of the workspace; more of them go into a file.
    static let recentMessages = 1 << 16
    /// Memory for the filters of files of messages: 12 bits for each of 44 million. Beyond, the filters of the oldest days
    /// stay on the disk, and each new message costs a read of 64 bytes for each file of those days.
    static let messageFilterBytes = 64 << 20
    /// Files of messages that stay open; older ones are opened for each question that their filters let pass.
    static let openMessageFiles = 100
    /// Requests that an earlier process left; with more of them, lists do not wait until they are stored.
    static let requestsWaitedFor = 100
    /// How long the indexer waits after the storage failed.
    static let indexerPause = Duration.seconds(1)
    /// Messages that may wait for one listener of the event stream; a slower one is cut off.
    static let streamBuffer = 1_000
    /// Databases of days that stay open; the others are opened when they are needed.
    static let openDays = 8
    /// Blocks of 64 bytes in the summary of a day: 8 MB, for six million values. A day with more is opened more often.
    static let summaryBlocks = 1 << 17
    /// Events of a tracking plan, properties of one, characters of a description, and events that the audit log names for
    /// one change.
    static let plannedEvents = 1_000
    static let plannedProperties = 200
    static let planDescriptionLength = 500
    static let planChangesInLog = 20
    /// Names of events that a day counts apart for each source, property keys for each of these names, and bytes of such a
    /// key.
    static let countedNames = 500
    static let countedKeys = 100
    static let countedKeyBytes = 128
    /// Names of the day before that have their places, and parts of indexes that are looked into for other names at once.
    static let knownNames = 250
    static let catalogLooks = 20_000
    /// Days that the catalog adds up by default and at most, and names that it shows by default and at most.
    static let catalogDays: Int64 = 30
    static let catalogMostDays: Int64 = 366
    static let catalogNames: Int64 = 100
    static let catalogMostNames: Int64 = 500
    /// A breakdown: values that are listed by default and at most, values with a count of their own, bytes of one as
    /// JSON, users that are distinguished, and events that one step looks at.
    static let breakdownValues: Int64 = 20
    static let breakdownMostValues: Int64 = 200
    static let breakdownCountedValues = 1_000
    static let breakdownValueBytes = 256
    static let breakdownUsers = 1_000_000
    static let breakdownStep = 5_000
    /// Steps after which the answer has the counts so far.
    static let breakdownStepsToPart = 4
    /// The newest days whose traced events are used for the latency figures.
    static let latencyDays = 7
    /// Message ids of a day that are compared with the index at once.
    static let messagesReadAtOnce = 10_000
    /// Rows of events that a search reads at once.
    static let rowsReadAtOnce = 1_000
    /// Parts of the indexes of a day that one statement reads.
    static let mostPartsAtOnce = 256
    /// Events that are read for one page of a list with conditions on their content.
    static let rowsLookedAt = 50_000
    /// Searches that run at once, one of them for administrators only, and that wait; rows that one reads before it checks
    /// whether its client is still there; and how long it rests after each step while the server accepts or stores requests.
    /// A step takes about 2 ms, so such a search takes a tenth of a processor.
    static let scansAtOnce = 3
    static let waitingScans = 16
    static let rowsInScanStep = 250
    static let scanRest = Duration.milliseconds(20)
    /// A condition of a list as text, the keys of its path, and conditions of one list.
    static let conditionBytes = 1_024
    static let conditionDepth = 16
    static let conditions = 8
    /// The least number of days that message ids are remembered, so that a device that was offline can repeat itself:
    /// clients of the field keep events that they could not send.
    static let rememberedDays: Int64 = 7
    /// The time between two searches for days that are too old, and how long such a search waits for the journal to be
    /// indexed.
    static let sweepInterval = Duration.seconds(3_600)
    static let sweepPatience = Duration.seconds(600)
    /// How many days a shorter retention waits before it deletes what was kept: at least one whole day.
    static let retentionGraceDays: Int64 = 2
    /// How long a repeated failure is only counted before it is logged again.
    static let repeatedFailureMilliseconds: Int64 = 60_000
    /// Room on the disk below which the doctor warns: the journal may need a file of its own, and a day a log.
    static let littleSpace: Int64 = 256 << 20
    /// Rows of a user that one transaction deletes.
    static let rowsErasedAtOnce = 2_000
    /// How long an erasure waits until the requests that were acknowledged before are indexed.
    static let erasurePatience = Duration.seconds(60)
    /// How long a request waits for the end of an erasure before it gets the progress as its answer.
    static let erasureAnswer = Duration.seconds(10)
    /// Listeners of the event stream.
    static let streamListeners = 400
    /// Rows that a list returns at most, and by default.
    static let pageRows = 1_000
    static let defaultPageRows = 100
    /// Traced events that the latency figures are computed from.
    static let latencyWindow = 10_000
    /// Age from which a `sentAt` in a body is that of a batch that waited offline.
    static let plausibleSkewMilliseconds: Int64 = 3_600_000
    /// Destinations of a source, and characters of the name of one.
    static let destinationsOfSource = 50
    /// Users and devices that are suppressed or were erased, and characters of a reason.
    static let suppressions = 1_000_000
    static let reasonLength = 500
    /// How long a deletion request is tried, in days; and how often is looked for requests that are due.
    static let deletionDays: Int64 = 30
    static let deletionPause = Duration.seconds(5)
    /// How long a change of settings takes to reach the other nodes of a cluster, nearly always.
    static let settingsSpread = Duration.seconds(2)
    /// Events of which one answer says where they went.
    static let proofEvents = 100
    /// Consent categories of a destination or a policy, and characters of one.
    static let categories = 50
    static let categoryLength = 100
    /// Bytes of a string of the Transparency and Consent Framework that is read. Real ones have some hundred.
    static let transparencyString = 8_192
    static let destinationNameLength = 100
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
    /// The largest backlog of a destination that is counted.
    static let countedBacklog = 50_000
    /// How long a destination waits for further events after a commit.
    static let forwardingDelay = Duration.milliseconds(10)
    /// How long the requests under way may take when the server stops.
    static let forwardingStop = Duration.seconds(3)
    /// The same when the last request failed or there was none, so that a dead destination does not delay the stop.
    static let forwardingStopUnproven = Duration.milliseconds(250)
    /// Bytes of a destination's answer that are read for the reason of a refusal, and how long they may take to come.
    static let destinationAnswer = 1_024
    static let destinationAnswerTime = Duration.seconds(2)
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
    /// Dead letters that one request names.
    static let namedDeadLetters = 1_000
    /// Stored events that a dry run tests by default, and at most.
    static let dryRunEvents = 50_000
    static let dryRunMostEvents = 1_000_000
    /// How long a dry run may take; its answer is what it has found until then.
    static let dryRunTime = Duration.seconds(20)
    /// Destinations that the rules of a dry run may name: each of them gets every event.
    static let dryRunDestinations = 100
    /// Changed events, and dropped ones, that a dry run shows.
    static let dryRunExamples = 5
    /// From so many tested events on, a dry run says that a rule concerned none or all of them.
    static let dryRunFewestEvents = 100
    /// The most names of destinations that a dry run collects from the events.
    static let dryRunKnownDestinations = 1_000
    /// Stored events on which live plugins are tried by default, and at most.
    static let trialEvents = 200
    static let trialMostEvents = 5_000
    /// Bytes of those events together.
    static let trialBytes = 16 << 20
    /// The newest stored events in which a review of live plugins looks for names of destinations.
    static let trialKnownEvents = 1_000
    /// Bytes of the answer of the process that tries live plugins.
    static let trialAnswer = 16 << 20
    /// How long that process may run.
    static let trialTime = Duration.seconds(30)
    /// How many days sums of health reports are kept at most, and how many instances of a source are remembered, so that a
    /// repeated report counts once.
    static let healthDays: Int64 = 30
    static let healthDevices = 100_000
    /// Reports that may wait to be stored, of all sources and of one.
    static let waitingReports = 1_000
    static let waitingReportsOfSource = 250
    /// The newest versions with sums of their own; reports about older ones are added up together.
    static let reportedVersions: Int64 = 8
    /// Bundles whose names are in memory, and names of one.
    static let bundlesWithNames = 8
    static let namesInBundle = 50_000
    /// Refused requests that are kept for operators, and those of one address.
    static let refusals = 200
    static let refusalsOfAddress = 10
    /// The time between two looks at the roll-outs.
    static let rolloutPause = Duration.seconds(10)
    /// The same when reports arrived.
    static let rolloutReportPause = Duration.seconds(1)
    /// Hours that one request for the health of live plugins covers.
    static let healthHours: Int64 = 24 * 30
    /// Orders to trace events of a user or a device, of a source at a time and in the answer to a device, and their
    /// longest time.
    static let traceOrders = 20
    static let traceOrdersInAnswer = 4
    static let traceOrderSeconds = 3_600
    /// Messages to operators that wait for their webhook, the time for one attempt, and milliseconds after which one is
    /// given up.
    static let notices = 100
    static let noticeTime: Int64 = 10
    static let noticeMilliseconds: Int64 = 24 * 3_600_000
    /// Seconds that one statement of a column store may take, the bytes of its answer, and how long an erasure waits until
    /// every replica has done it.
    static let columnStoreAttempt: Int64 = 15
    static let columnStoreAnswer = 512 << 20
    static let columnStoreErasure = Duration.seconds(60)
    /// The newest traces of a column store that latency figures are made of.
    static let tracesLookedAt = 1_000
}
