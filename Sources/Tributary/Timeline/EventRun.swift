import TributaryJSON
import TributaryJournal

/// One event in the timeline: its origin, its audience, and the bundle versions that process it.
///
/// The value goes as a parameter from step to step. So an event that comes back from a destination meets its own values, and
/// never those of the event that is processed meanwhile.
///
/// Unchecked because the plugin versions are only used on the client's executor; everything else is constant.
struct EventRun: @unchecked Sendable {
    /// Which destinations are to see an event.
    enum Audience {
        case all
        /// The server: the destinations on the device had the event already.
        case server
        /// The destinations on the device: the server had the event already.
        case devices
    }

    /// The event as it is in the inbox.
    let record: InboxRecord
    /// The closures of the event's call.
    let closures: [EnrichmentClosure]
    /// The event queue whose outbox takes the event.
    let eventQueue: EventQueue
    /// The event's place in the inbox; nil when the inbox does not have it in this form.
    let origin: JournalTag?
    /// Whether the record came straight from the call: then its text is that of its event.
    let isFresh: Bool
    /// Whether an earlier process has put the event into the outbox.
    let isReplay: Bool
    /// Notes what happens to the event; nil unless the inspector is on.
    let recorder: StageRecorder?
    /// The plugin versions that process the event, from its beginning to its end.
    var bundleVersions: [any BundleVersion] = []

    var audience: Audience {
        if isReplay { return .devices }
        return record.form == .carriedOver ? .server : .all
    }

    /// The event with its text; nil when the text may be another one, because the event was parsed.
    var written: WrittenObject? { isFresh ? record.written : nil }

    /// The ids for events that plugins make of this one.
    var derivedIds: DerivedIds { DerivedIds(of: record.event) }
}
