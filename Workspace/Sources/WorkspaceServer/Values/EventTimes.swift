/// The four times of an event, in milliseconds since 1970.
struct EventTimes: Equatable {
    /// When it happened, by the server's clock.
    let timestamp: Int64
    /// When it happened, by the device's clock.
    let originalTimestamp: Int64?
    /// When it was sent, by the device's clock.
    let sentAt: Int64?
    let receivedAt: Int64

    /// Takes the error of the device's clock out of the event's time, where that can be known.
    ///
    /// A `sentAt` of a batch body is often the time when the file was finished. Long before the server's clock it means
    /// a batch that waited offline or a clock that is slow; nobody can tell which, so nothing is corrected. After the
    /// server's clock it can only be a clock that is fast, by however much, and the error is taken out. A `sentAt` from
    /// the header was written at the upload and is taken at its word.
    init(originalTimestamp: Int64?, sentAt: Int64?, sentAtIsFromUpload: Bool, receivedAt: Int64) {
        self.originalTimestamp = originalTimestamp
        self.sentAt = sentAt
        self.receivedAt = receivedAt
        guard let originalTimestamp else {
            timestamp = receivedAt
            return
        }
        guard let sentAt, sentAt >= originalTimestamp,
            sentAtIsFromUpload || receivedAt - sentAt <= Limits.plausibleSkewMilliseconds
        else {
            timestamp = originalTimestamp
            return
        }
        timestamp = receivedAt - (sentAt - originalTimestamp)
    }
}
