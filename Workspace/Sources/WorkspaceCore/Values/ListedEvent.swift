package import TributaryJSON

/// A row of the list of events.
package enum ListedEvent {
    /// The event of a row of the list of events, with the times that the server corrected; nil when there is none.
    package static func withTimes(_ row: JSON) -> JSON? {
        guard var event = row["event"], event.objectValue != nil else { return nil }
        // When no time could be read, the receiver gets the text that was sent.
        if let sent = event["timestamp"], !sent.isNull, event["originalTimestamp"]?.isNull ?? true {
            event["originalTimestamp"] = sent
        }
        for time in ["timestamp", "originalTimestamp", "sentAt", "receivedAt"] {
            if let value = row[time], !value.isNull { event[time] = value }
        }
        return event
    }
}
