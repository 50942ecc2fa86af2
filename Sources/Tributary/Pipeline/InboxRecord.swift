import TributaryJSON

/// How an event stands in the inbox.
///
///     +------+---------------------------------+-----------
///     | form | tracked at, ms since 1970 (LE)  | JSON text
///     |  1 B |              8 B                | the rest
///     +------+---------------------------------+-----------
struct InboxRecord: Sendable {
    enum Form: UInt8 {
        /// An event as it was tracked.
        case event = 0
        /// An event whose call brought closures; without them, after a crash, it is not sent.
        case withClosures = 1
        /// An event that another library left: its destinations on the device had it already.
        case carriedOver = 2
        /// An event that has been through the source stages of the timeline.
        case routed = 3
    }

    private static let headerBytes = 9

    let form: Form
    /// When the call was made, whatever the event's own timestamp says.
    let trackedAt: Int64
    let event: JSONObject
    /// The bytes that stand in the inbox.
    let encoded: [UInt8]
    /// Members of the event that were left out, because nobody could have read it with them.
    let leftOut: [String]

    /// The event with its text.
    var written: WrittenObject { WrittenObject(event, text: encoded[Self.headerBytes...]) }

    private static func header(_ form: Form, _ trackedAt: Int64) -> [UInt8] {
        var header: [UInt8] = []
        header.reserveCapacity(headerBytes)
        header.append(form.rawValue)
        let time = UInt64(bitPattern: trackedAt)
        for shift in 0..<8 { header.append(UInt8(truncatingIfNeeded: time >> (8 * UInt64(shift)))) }
        return header
    }

    init(form: Form, trackedAt: Int64, event: JSONObject) {
        self.form = form
        self.trackedAt = trackedAt
        let header = Self.header(form, trackedAt)
        if let bytes = event.encoded(behind: header, depth: Limits.eventDepth) {
            (self.event, encoded, leftOut) = (event, bytes, [])
        } else {
            let (kept, leftOut) = event.leavingOutMembers(deeperThan: Limits.eventDepth)
            (self.event, encoded, self.leftOut) = (kept, kept.encoded(behind: header) ?? header, leftOut)
        }
    }

    init(payload: [UInt8]) throws(JSONError) {
        guard payload.count > Self.headerBytes, let form = Form(rawValue: payload[0]) else {
            throw JSONError(.malformed, "a record of an unknown form")
        }
        self.form = form
        encoded = payload
        leftOut = []
        let time = (0..<8).reduce(UInt64(0)) { $0 | UInt64(payload[1 + $1]) << (8 * UInt64($1)) }
        trackedAt = Int64(bitPattern: time)
        let json = try payload.withUnsafeBufferPointer { bytes throws(JSONError) in
            try JSON.parse(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[Self.headerBytes...]))
        }
        guard let object = json.objectValue else { throw JSONError(.mismatch, "a record that is no object") }
        event = object
    }
}
