import TributaryJSON

extension Analytics {
    /// Lets the events that another library left go on through this client.
    ///
    /// The inbox is kept alive meanwhile, not the client; a client that ends leaves the rest to the next one.
    func carryOver(_ inheritance: Migrator.Inheritance, with migrator: Migrator) {
        guard values.autoAddSegmentDestination else { return }  // they wait for a client that sends
        guard writer.target == .inbox else { return }  // and for the user's consent
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

    /// What takes over the data of another library; nil for a client that keeps nothing on disk, or that has its write key
    /// together with one that came before it.
    static func migrator(_ values: Configuration.Values, _ eventQueue: EventQueue) -> Migrator? {
        guard let location = eventQueue.directory.location, eventQueue.number == 0, eventQueue.inbox.isLasting else {
            return nil
        }
        return Migrator(
            migration: values.migration, writeKey: values.writeKey, folder: location.folder, files: values.files,
            report: eventQueue.directory.report)
    }
}
