import TributaryJSON
import TributaryJournal

/// How an event stands in the inbox.
///
///     +------+---------------------------------+-----------
///     | form | tracked at, ms since 1970 (LE)  | JSON text
///     |  1 B |              8 B                | the rest
///     +------+---------------------------------+-----------
///
/// Records about an event that stands elsewhere have its sequence (8 B, LE) before the text.
///
/// A class, because a record is passed on many times: that is one reference, not one for each member.
final class InboxRecord: Sendable {
    enum Form: UInt8 {
        /// An event as it was tracked.
        case event = 0
        /// An event whose call brought closures; without them, after a crash, it is not sent.
        case withClosures = 1
        /// An event that another library left: its destinations on the device had it already.
        case carriedOver = 2
        /// An event that has been through the source stages of the timeline.
        case routed = 3
        /// An event, as it was tracked, that a source stage has not decided on.
        case deferred = 4
        /// The same as `routed`: what a source stage decided on later.
        case decided = 5

        /// Whether it is about an event that stands elsewhere in the inbox.
        var namesTracked: Bool { self == .deferred || self == .decided }
        /// Whether source stages are to see the event. Not those of another library, which had such stages, too.
        var isToBeRouted: Bool { self == .event || self == .withClosures }
        var headerBytes: Int { namesTracked ? 17 : 9 }
    }

    let form: Form
    /// When the call was made, whatever the event's own timestamp says.
    let trackedAt: Int64
    let event: JSONObject
    /// The sequence under which the event was tracked; 0 for that record itself.
    let tracked: UInt64
    /// The bytes that stand in the inbox.
    let encoded: [UInt8]
    /// Members of the event that were left out, because nobody could have read it with them.
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

    /// The bytes of a record; nil when the event is nested deeper than anybody reads.
    private static func encoded(_ event: JSONObject, _ form: Form, _ trackedAt: Int64, _ tracked: UInt64) -> [UInt8]? {
        withHeader(form, trackedAt, tracked) { event.encoded(behind: $0, depth: Limits.eventDepth) }
    }

    /// - Parameter tracked: the sequence of the event that it is about, where that stands elsewhere.
    init(form: Form, trackedAt: Int64, event: JSONObject, tracked: UInt64 = 0) {
        self.form = form
        self.trackedAt = trackedAt
        self.tracked = tracked
        if let bytes = Self.encoded(event, form, trackedAt, tracked) {
            self.event = event
            encoded = bytes
            leftOut = []
        } else {
            let (kept, leftOut) = event.leavingOutMembers(deeperThan: Limits.eventDepth)
            self.event = kept
            encoded =
                Self.encoded(kept, form, trackedAt, tracked) ?? Self.withHeader(form, trackedAt, tracked, Array.init)
            self.leftOut = leftOut
        }
    }

    init(payload: [UInt8]) throws(JSONError) {
        guard let form = payload.first.flatMap(Form.init), payload.count > form.headerBytes else {
            throw JSONError(.malformed, "a record of an unknown form")
        }
        self.form = form
        encoded = payload
        leftOut = []
        trackedAt = Int64(bitPattern: payload.number(at: 1))
        tracked = form.namesTracked ? payload.number(at: 9) : 0
        let json = try payload.withUnsafeBufferPointer { bytes throws(JSONError) in
            try JSON.parse(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[form.headerBytes...]))
        }
        guard let object = json.objectValue else { throw JSONError(.mismatch, "a record that is no object") }
        event = object
    }
}
