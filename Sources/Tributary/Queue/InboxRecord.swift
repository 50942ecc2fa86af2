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
///
/// A class, because a record is passed on many times: a copy then retains one object instead of each member.
final class InboxRecord: Sendable {
    enum Form: UInt8 {
        /// An event as it was tracked.
        case event = 0
        /// An event of a call with closures. After a crash the closures are gone, and the event is not sent.
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
    /// The places of values that were left out, because readers would refuse the event with them.
    let leftOut: [String]

    /// The event with its text.
    var written: WrittenObject { WrittenObject(event, text: encoded[form.headerBytes...]) }

    /// The bytes before the text.
    private static func withHeader<Result>(
        _ form: Form, _ trackedAt: Int64, _ tracked: UInt64, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(byteCount: form.headerBytes, alignment: 1) { header in
            header[0] = form.rawValue
            header.storeBytes(of: trackedAt.littleEndian, toByteOffset: 1, as: Int64.self)
            if form.namesTracked { header.storeBytes(of: tracked.littleEndian, toByteOffset: 9, as: UInt64.self) }
            return header.withMemoryRebound(to: UInt8.self) { body(UnsafeBufferPointer($0)) }
        }
    }

    /// The bytes of a record; nil when the event is nested deeper than `JSONLimits.eventDepth`.
    private static func encoded(_ event: JSONObject, _ form: Form, _ trackedAt: Int64, _ tracked: UInt64) -> [UInt8]? {
        withHeader(form, trackedAt, tracked) { event.encoded(behind: $0, depth: JSONLimits.eventDepth) }
    }

    /// - Parameter tracked: the sequence of the tracked record, for a record about its event.
    init(form: Form, trackedAt: Int64, event: JSONObject, tracked: UInt64 = 0) {
        self.form = form
        self.trackedAt = trackedAt
        self.tracked = tracked
        if let bytes = Self.encoded(event, form, trackedAt, tracked) {
            self.event = event
            encoded = bytes
            leftOut = []
        } else {
            let (kept, leftOut) = event.leavingOut(deeperThan: JSONLimits.eventDepth)
            self.event = kept
            encoded =
                Self.encoded(kept, form, trackedAt, tracked) ?? Self.withHeader(form, trackedAt, tracked, Array.init)
            self.leftOut = leftOut
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
