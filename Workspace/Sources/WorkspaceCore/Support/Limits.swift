/// The limits of the server, each with the rule of the protocol behind it.
///
/// These apply in several folders. The limits of one folder are in an extension there: `Forwarding/ForwardingLimits.swift`.
package enum Limits {
    /// Body of an ingest request, before and after inflating. The protocol's batch is 500 KB; clients of the field
    /// write files somewhat beyond that, so the refusal comes later than theirs.
    package static let ingestBody = 4 << 20
    /// The least memory for bodies, and the most for those of senders that have not shown a write key.
    package static let leastBodyMemory = 16 << 20
    package static let bodiesOfUnknownSenders = 8 << 20
    /// Bytes of a body that is read as a whole before its sender is looked at.
    package static let shortBody = 32 << 10
    /// Characters of an event's name, user id or anonymous id that is kept as a column.
    package static let identifierLength = 1_024
    /// Characters of an admin token that an operator chose.
    package static let shortestToken = 20
    package static let longestToken = 512
    /// Named tokens, and characters of the name of one.
    package static let namedTokens = 1_000
    package static let tokenNameLength = 100
    /// Keys of a source, valid and revoked, and characters of the name of one.
    static let keysOfSource = 100
    package static let keyNameLength = 100
    package static let sourceNameLength = 200
    /// Nesting of arrays and objects in any JSON that is read.
    package static let depth = 128
    /// Characters of a write key.
    package static let writeKeyLength = 128
    /// Size of a file of the journal; indexed requests are deleted by whole files.
    package static let journalSegmentBytes = 16 << 20
    /// Events of a tracking plan, properties of one, characters of a description and of an owner, values that a property
    /// allows and characters of one, and events that the audit log names for one change.
    static let plannedEvents = 1_000
    static let plannedProperties = 200
    static let planDescriptionLength = 500
    static let planOwnerLength = 100
    static let plannedValues = 100
    static let plannedValueLength = 200
    /// Days for which the events that differ from the plan stay counted.
    package static let planCountDays: Int64 = 92
    /// Events that one list of events that differ looks at, and events that it shows at most.
    package static let planLooks = 20_000
    package static let planDiffering = 100
    static let planChangesInLog = 20
    /// Names of events that a day counts apart for each source, property keys for each of these names, and bytes of such a
    /// key.
    package static let countedNames = 500
    package static let countedKeys = 100
    package static let countedKeyBytes = 128
    /// Days that the catalog adds up by default and at most, and names that it shows by default and at most.
    package static let catalogDays: Int64 = 30
    static let catalogMostDays: Int64 = 366
    package static let catalogNames: Int64 = 100
    package static let catalogMostNames: Int64 = 500
    /// Searches that run at once, one of them for administrators only, and that wait; rows that one reads before it checks
    /// whether its client is still there; and how long it rests after each step while the server accepts or stores requests.
    /// A step takes about 2 ms, so such a search takes a tenth of a processor.
    static let scansAtOnce = 3
    static let waitingScans = 16
    package static let rowsInScanStep = 250
    static let scanRest = Duration.milliseconds(20)
    /// A condition of a list as text, the keys of its path, and conditions of one list.
    static let conditionBytes = 1_024
    static let conditionDepth = 16
    package static let conditions = 8
    /// The least number of days that message ids are remembered, so that a device that was offline can repeat itself:
    /// clients of the field keep events that they could not send.
    package static let rememberedDays: Int64 = 7
    /// Rows of a user that one transaction deletes.
    package static let rowsErasedAtOnce = 2_000
    /// How long an erasure waits until the requests that were acknowledged before are indexed.
    package static let erasurePatience = Duration.seconds(60)
    /// How long a request waits for the end of an erasure before it gets the progress as its answer.
    package static let erasureAnswer = Duration.seconds(10)
    /// Rows that a list returns at most, and by default.
    static let pageRows = 1_000
    static let defaultPageRows = 100
    /// Users and devices that are suppressed or were erased, and characters of a reason.
    package static let suppressions = 1_000_000
    package static let reasonLength = 500
    /// How long a deletion request is tried, in days; and how often is looked for requests that are due.
    package static let deletionDays: Int64 = 30
    package static let deletionPause = Duration.seconds(5)
    /// Bytes of a string of the Transparency and Consent Framework that is read. Real ones have some hundred.
    static let transparencyString = 8_192
    package static let destinationNameLength = 100
    /// The largest backlog of a destination that is counted.
    package static let countedBacklog = 50_000
    /// Bytes of a destination's answer that are read for the reason of a refusal, and how long they may take to come.
    package static let destinationAnswer = 1_024
    package static let destinationAnswerTime = Duration.seconds(2)
    /// The most names of destinations that a dry run collects from the events.
    package static let dryRunKnownDestinations = 1_000
    /// How many days sums of health reports are kept at most, and how many instances of a source are remembered, so that a
    /// repeated report counts once.
    package static let healthDays: Int64 = 30
    static let healthDevices = 100_000
    /// Versions of an app that a source keeps, the shortest time in milliseconds between two of which one displaces another, and
    /// how long a device counts after its last report.
    static let reportedApps = 24
    static let reportedAppPause: Int64 = 60_000
    package static let reportedAppMilliseconds: Int64 = 7 * 86_400_000
    /// Orders to trace events of a user or a device, of a source at a time and in the answer to a device, and their
    /// longest time.
    package static let traceOrders = 20
    package static let traceOrdersInAnswer = 4
    package static let traceOrderSeconds = 3_600
    /// Messages to operators that wait for their webhook, the time for one attempt, and milliseconds after which one is
    /// given up.
    static let notices = 100
    package static let noticeTime: Int64 = 10
    package static let noticeMilliseconds: Int64 = 24 * 3_600_000
    /// How long a repeated failure is only counted before it is logged again.
    static let repeatedFailureMilliseconds: Int64 = 60_000
}
