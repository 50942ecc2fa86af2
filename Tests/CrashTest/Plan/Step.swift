/// The steps of an event's way at which a client can be killed.
///
/// The steps of the inbox and the outbox are file operations, seen by `CrashingFileSystem`; the others are seen by a
/// plugin and by the transport. None of them needs a hook in the client.
enum Step: String, Codable, Sendable, CaseIterable {
    case folderOpened = "folder opened"

    case inboxAppended = "inbox: record written"
    case inboxSegmentNamed = "inbox: spare becomes a segment"
    case inboxSegmentBegun = "inbox: first bytes of a segment"
    case inboxSpareMade = "inbox: spare made"
    case inboxMarkWritten = "inbox: mark written"
    case inboxMarkRenamed = "inbox: mark renamed"
    case inboxSegmentDeleted = "inbox: segment deleted"

    case eventInTimeline = "timeline: event at a plugin"
    case childTracked = "timeline: plugin tracks"

    case outboxAppended = "outbox: record written"
    case outboxSegmentNamed = "outbox: spare becomes a segment"
    case outboxSegmentBegun = "outbox: first bytes of a segment"
    case outboxSpareMade = "outbox: spare made"
    case outboxMarkWritten = "outbox: mark written"
    case outboxMarkRenamed = "outbox: mark renamed"
    case outboxSegmentDeleted = "outbox: segment deleted"

    case settingsRequested = "settings asked for"
    case settingsReceived = "settings received"
    case requestSent = "batch sent"
    case answerReceived = "confirmation received"

    case firstTrack = "first track returned"
    case purge = "purge"

    /// Whether bytes are written, so that only half of them may arrive.
    var canBeHalved: Bool {
        switch self {
        case .inboxAppended, .inboxSegmentBegun, .inboxMarkWritten, .outboxAppended, .outboxSegmentBegun,
            .outboxMarkWritten:
            true
        default: false
        }
    }

    /// Whether megabytes must be tracked before it comes.
    var needsLargeEvents: Bool {
        switch self {
        case .inboxSegmentNamed, .inboxSegmentBegun, .inboxSegmentDeleted, .outboxSegmentNamed, .outboxSegmentBegun,
            .outboxSegmentDeleted:
            true
        default: false
        }
    }

    /// How often it comes in one life of a client, roughly; a kill is planned for one of these times.
    var usualCount: Int {
        switch self {
        case .inboxAppended, .eventInTimeline, .outboxAppended: 150
        case .childTracked: 30
        case .folderOpened: 6
        case .inboxMarkWritten, .inboxMarkRenamed, .outboxMarkWritten, .outboxMarkRenamed: 3
        case .requestSent, .answerReceived: 4
        default: 1
        }
    }
}

/// On which side of a step a client dies.
enum StepSide: String, Codable, Sendable, CaseIterable {
    case before, halfway, after
}

/// The step at which a client dies, and how often it comes by unharmed.
struct KillPoint: Codable, Sendable, Hashable {
    var step: Step
    var side: StepSide
    /// The first time is 1.
    var nth: Int
}
