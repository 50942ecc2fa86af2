import TributaryJSON
import TributaryJournal

/// One event in the timeline: its origin, its audience, and the bundle versions that process it.
///
/// The value is passed as a parameter from step to step. So an event that returns from a destination uses its own
/// values, and not those of the event that is processed then.
///
/// Unchecked because the bundle versions are only used on the client's executor, and everything else is constant.
struct EventRun: @unchecked Sendable {
    /// The destinations that an event goes to.
    enum Audience {
        case all
        /// Only the server, because the destinations on the device already got the event.
        case server
        /// Only the destinations on the device, because the server already got the event.
        case devices
    }

    /// The event as it is in the inbox.
    let record: InboxRecord
    /// The closures of the event's call.
    let closures: [EnrichmentClosure]
    /// The event queue that takes the event into its outbox.
    let eventQueue: EventQueue
    /// The event's place in the inbox; nil when the inbox does not have the event in this form.
    let origin: JournalTag?
    /// Whether the record comes directly from the call. Its text is then the text of its event.
    let isFresh: Bool
    /// Whether an earlier process has put the event into the outbox.
    let isReplay: Bool
    /// Records the steps of the event; nil unless the inspector is on.
    let recorder: StageRecorder?
    /// The bundle versions that process the event from its beginning to its end.
    var bundleVersions: [any BundleVersion] = []

    var audience: Audience {
        if isReplay { return .devices }
        return record.form == .carriedOver ? .server : .all
    }

    /// The event with its text; nil when the text may be another one, because the event was parsed.
    var written: WrittenObject? { isFresh ? record.written : nil }

    /// The event as the app tracked it, for counts by its name; nil for a repetition, which an earlier process has counted.
    var counted: JSONObject? { isReplay ? nil : record.event }

    /// The ids for events that plugins make of this one.
    var derivedIds: DerivedIds { DerivedIds(of: record.event) }
}
