/// When a request was sent, by the device's clock.
package struct UploadTime: Sendable, Equatable {
    package var sentAt: Int64?
    /// Whether the time was written when the upload began.
    package var isFromUpload = false

    package init(sentAt: Int64? = nil, isFromUpload: Bool = false) {
        (self.sentAt, self.isFromUpload) = (sentAt, isFromUpload)
    }
}

/// The rows that one request adds to the database.
package struct IncomingBatch: Sendable {
    package let source: Int64
    package let receivedAt: Int64
    package var events: [IncomingEvent] = []
    package var rejected: [RejectedEvent] = []
    package var traces: [IncomingTrace] = []
    package var signals: [IncomingSignal] = []
    /// When the request was sent, for events that are read again.
    package var upload = UploadTime()

    package init(
        source: Int64, receivedAt: Int64, events: [IncomingEvent] = [], rejected: [RejectedEvent] = [],
        traces: [IncomingTrace] = [], signals: [IncomingSignal] = []
    ) {
        (self.source, self.receivedAt, self.events) = (source, receivedAt, events)
        (self.rejected, self.traces, self.signals) = (rejected, traces, signals)
    }

    /// The number of events with an unreadable time. The store uses the time of arrival for them.
    package var unreadableTimes: Int { events.count(where: \.hasUnreadableTime) }

    /// The size of all bodies: roughly the memory that the batch takes.
    package var byteCount: Int {
        events.reduce(0) { $0 + $1.body.count } + rejected.reduce(0) { $0 + $1.body.count }
            + traces.reduce(0) { $0 + $1.body.count } + signals.reduce(0) { $0 + $1.body.count }
    }

    /// The number of rows that the batch adds.
    var rowCount: Int { events.count + rejected.count + traces.count + signals.count }
}
