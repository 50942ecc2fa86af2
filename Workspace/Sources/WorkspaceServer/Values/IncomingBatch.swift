/// What one request brings for the database.
struct IncomingBatch: Sendable {
    let source: Int64
    let receivedAt: Int64
    var events: [IncomingEvent] = []
    var rejected: [RejectedEvent] = []
    var traces: [IncomingTrace] = []
    var signals: [IncomingSignal] = []

    /// Events whose `timestamp` is of no known form; the time of arrival stands for it.
    var unreadableTimes: Int {
        events.count { $0.times.originalTimestamp == nil && TimeProblem.of($0.body) != nil }
    }

    /// What it costs to keep it in memory.
    var byteCount: Int {
        events.reduce(0) { $0 + $1.body.count } + rejected.reduce(0) { $0 + $1.body.count }
            + traces.reduce(0) { $0 + $1.body.count } + signals.reduce(0) { $0 + $1.body.count }
    }

    /// Rows that it makes.
    var rowCount: Int { events.count + rejected.count + traces.count + signals.count }
}
