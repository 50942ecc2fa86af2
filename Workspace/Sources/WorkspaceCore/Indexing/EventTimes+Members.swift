import TributaryJSON

extension EventTimes {
    /// The members that say when an event happened and when it was sent.
    package static let members: [StaticString] = ["timestamp", "originalTimestamp", "sentAt", "receivedAt"]

    /// The times that an event names, without the error of the device's clock.
    ///
    /// Some clients name the device's time `originalTimestamp`. An event with both times, or with a time of arrival, was
    /// corrected by a server before: it was forwarded or exported.
    /// - Parameters:
    ///   - object: with `members`.
    ///   - sentAt: when the request was sent, by the device's clock.
    ///   - sentAtIsFromUpload: whether that time was written when the upload began.
    package init(_ object: ScannedObject, sentAt: Int64?, sentAtIsFromUpload: Bool, receivedAt: Int64) {
        let time = { (name: StaticString) in object.json(name).flatMap(EventTime.milliseconds) }
        let (timestamp, original, own) = (time("timestamp"), time("originalTimestamp"), time("sentAt"))
        if let timestamp, time("receivedAt") != nil || original.map({ $0 != timestamp }) ?? false {
            self.init(
                timestamp: timestamp, originalTimestamp: original ?? timestamp, sentAt: own, receivedAt: receivedAt)
        } else {
            self.init(
                originalTimestamp: timestamp ?? original, sentAt: sentAtIsFromUpload ? sentAt : own ?? sentAt,
                sentAtIsFromUpload: sentAtIsFromUpload, receivedAt: receivedAt)
        }
    }
}
