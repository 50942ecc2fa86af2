import TributaryJSON

/// The values of an event that a storage has, and the row of the event list that is made from them.
package struct EventText {
    package let sequence: Int64
    package let writeKey: String?
    /// The values of `texts`.
    package let texts: [String?]
    /// The values of `times`, in milliseconds since 1970.
    package let times: [Int64?]
    /// The body of the trace of the event.
    package let trace: [UInt8]?
    package let body: [UInt8]

    package init(sequence: Int64, writeKey: String?, texts: [String?], times: [Int64?], trace: [UInt8]?, body: [UInt8])
    {
        (self.sequence, self.writeKey, self.texts) = (sequence, writeKey, texts)
        (self.times, self.trace, self.body) = (times, trace, body)
    }

    /// The columns with texts, in the order of the row.
    package static let texts = ["messageId", "type", "name", "userId", "anonymousId"]
    /// The columns with times, in the order of the row.
    package static let times = ["timestamp", "originalTimestamp", "sentAt", "receivedAt", "storedAt"]

    /// The row.
    /// - Throws: `JSONError` when the trace cannot be read.
    package var row: StoredRow {
        get throws {
            var object = ObjectText()
            object.add("sequence", sequence)
            object.add("writeKey", writeKey)
            for (column, value) in zip(Self.texts, texts) { object.add(column, value) }
            for (column, value) in zip(Self.times, times) { object.add(column, milliseconds: value) }
            if times[1] == nil, let problem = TimeProblem.of(body) { object.add("timeProblem", problem) }
            if let trace {
                let trace = try JSON.parse(trace)
                for member in ["trackedAt", "stages"] { trace[member].map { object.add(member, $0) } }
            }
            object.add("event", text: body)
            return StoredRow(kind: .event, sequence: sequence, text: object.finished(), body: body)
        }
    }
}
