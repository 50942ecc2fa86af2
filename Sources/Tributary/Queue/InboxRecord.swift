import TributaryJSON
import TributaryJournal

/// The form of an event in the inbox.
///
///     +------+---------------------------------+-----------
///     | form | tracked at, ms since 1970 (LE)  | JSON text
///     |  1 B |              8 B                | the rest
///     +------+---------------------------------+-----------
///
/// A record about an event of another record has the sequence of that record (8 B, LE) before the text.
struct InboxRecord: Sendable {
    enum Form: UInt8 {
        /// An event as it was tracked.
        case event = 0
        /// An event whose call had closures. After a crash the closures are gone, and the event is not sent.
        case withClosures = 1
        /// An event that another library left. The destinations on the device already got it from that library.
        case carriedOver = 2
        /// An event that has been through the source stages of the timeline.
        case routed = 3
        /// The second record of an undecided event: the event as it was tracked.
        case deferred = 4
        /// Like `routed`, for an event on which a source stage decided later.
        case decided = 5

        /// Whether the record is about an event of another record.
        var namesTracked: Bool { self == .deferred || self == .decided }
        /// Whether source stages see the event. Events of another library were already in its own source stages.
        var isToBeRouted: Bool { self == .event || self == .withClosures }
        var headerBytes: Int { namesTracked ? 17 : 9 }
    }

    let form: Form
    /// The time of the call, whatever the event's own timestamp.
    let trackedAt: Int64
    let event: JSONObject
    /// The sequence of the event's tracked record; 0 for that record itself.
    let tracked: UInt64
    /// The bytes in the inbox.
    let encoded: [UInt8]
    /// Members of the event that were left out, because readers would refuse the event with them.
    let leftOut: [String]

    /// The event with its text.
    var written: WrittenObject { WrittenObject(event, text: encoded[form.headerBytes...]) }

    private static func header(_ form: Form, _ trackedAt: Int64, _ tracked: UInt64) -> [UInt8] {
        var header: [UInt8] = []
        header.reserveCapacity(form.headerBytes)
        header.append(form.rawValue)
        header.append(littleEndian: UInt64(bitPattern: trackedAt))
        if form.namesTracked { header.append(littleEndian: tracked) }
        return header
    }

    /// - Parameter tracked: the sequence of the tracked record, for a record about its event.
    init(form: Form, trackedAt: Int64, event: JSONObject, tracked: UInt64 = 0) {
        self.form = form
        self.trackedAt = trackedAt
        self.tracked = tracked
        let header = Self.header(form, trackedAt, tracked)
        if let bytes = event.encoded(behind: header, depth: Limits.eventDepth) {
            (self.event, encoded, leftOut) = (event, bytes, [])
        } else {
            let (kept, leftOut) = event.leavingOutMembers(deeperThan: Limits.eventDepth)
            (self.event, encoded, self.leftOut) = (kept, kept.encoded(behind: header) ?? header, leftOut)
        }
    }

    init(payload: [UInt8]) throws(JSONError) {
        guard let form = payload.first.flatMap(Form.init), payload.count > form.headerBytes else {
            throw JSONError(.malformed, "the record has an unknown form")
        }
        self.form = form
        encoded = payload
        leftOut = []
        trackedAt = Int64(bitPattern: payload.number(at: 1))
        tracked = form.namesTracked ? payload.number(at: 9) : 0
        let json = try payload.withUnsafeBufferPointer { bytes throws(JSONError) in
            try JSON.parse(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[form.headerBytes...]))
        }
        guard let object = json.objectValue else { throw JSONError(.mismatch, "the record is not an object") }
        event = object
    }
}
