/// The rows that one request adds to the database.
struct IncomingBatch: Sendable {
    let source: Int64
    let receivedAt: Int64
    var events: [IncomingEvent] = []
    var rejected: [RejectedEvent] = []
    var traces: [IncomingTrace] = []
    var signals: [IncomingSignal] = []

    /// The number of events with an unreadable time. The store uses the time of arrival for them.
    var unreadableTimes: Int { events.count(where: \.hasUnreadableTime) }

    /// The size of all bodies: roughly the memory that the batch takes.
    var byteCount: Int {
        events.reduce(0) { $0 + $1.body.count } + rejected.reduce(0) { $0 + $1.body.count }
            + traces.reduce(0) { $0 + $1.body.count } + signals.reduce(0) { $0 + $1.body.count }
    }

    /// The number of rows that the batch adds.
    var rowCount: Int { events.count + rejected.count + traces.count + signals.count }
}
