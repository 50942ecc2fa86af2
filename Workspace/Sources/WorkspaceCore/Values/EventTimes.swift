/// The four times of an event, in milliseconds since 1970.
package struct EventTimes: Equatable {
    /// When it happened, by the server's clock.
    package let timestamp: Int64
    /// When it happened, by the device's clock.
    package let originalTimestamp: Int64?
    /// When it was sent, by the device's clock.
    package let sentAt: Int64?
    package let receivedAt: Int64

    /// Times that were worked out before.
    package init(timestamp: Int64, originalTimestamp: Int64?, sentAt: Int64?, receivedAt: Int64) {
        (self.timestamp, self.originalTimestamp) = (timestamp, originalTimestamp)
        (self.sentAt, self.receivedAt) = (sentAt, receivedAt)
    }

    /// Takes the error of the device's clock out of the event's time, when the error is known.
    ///
    /// The `sentAt` of a batch body is often the time when the client finished the file. When it lies long before the
    /// server's clock, either the batch waited offline or the device's clock is slow. The server cannot tell these
    /// cases apart, so it corrects nothing. When it lies after the server's clock, the device's clock is fast, and the
    /// event's time is corrected. A `sentAt` from the header was written at the upload, so the time is always
    /// corrected.
    package init(originalTimestamp: Int64?, sentAt: Int64?, sentAtIsFromUpload: Bool, receivedAt: Int64) {
        (self.originalTimestamp, self.sentAt, self.receivedAt) = (originalTimestamp, sentAt, receivedAt)
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
