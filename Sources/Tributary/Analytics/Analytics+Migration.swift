import TributaryJSON

extension Analytics {
    /// Moves events that another library left into this client's inbox.
    ///
    /// The work keeps the inbox alive, not the client. When the client ends, the next client moves the rest.
    func carryOver(_ inheritance: Migrator.Inheritance, with migrator: Migrator) {
        guard values.autoAddSegmentDestination else { return }  // the events wait for a client that sends
        guard writer.target == .inbox else { return }  // the events wait for the user's consent
        migrator.carryOver(inheritance) { [inbox, pipeline, time = values.time] event in
            var event = event
            if event["timestamp"] == nil {
                event["timestamp"] = .string(ISO8601.string(milliseconds: time.milliseconds))
            }
            let record = InboxRecord(form: .carriedOver, trackedAt: time.milliseconds, event: event)
            inbox.append(record.encoded)
            pipeline.turns.wake()
            return inbox.isLasting
        }
    }

    /// The migrator for the data of another library. It is nil for a client that keeps nothing on disk, and for a
    /// client that is not the first of its write key.
    static func migrator(_ values: Configuration.Values, _ eventQueue: EventQueue) -> Migrator? {
        guard let location = eventQueue.directory.location, eventQueue.number == 0, eventQueue.inbox.isLasting else {
            return nil
        }
        return Migrator(
            migration: values.migration, writeKey: values.writeKey, folder: location.folder, files: values.files,
            keptFiles: eventQueue.directory.keptFiles, report: eventQueue.directory.report)
    }
}
