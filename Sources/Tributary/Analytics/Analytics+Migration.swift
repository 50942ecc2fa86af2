import TributaryJSON

extension Analytics {
    /// Lets the events that another library left go on through this client.
    ///
    /// The inbox is kept alive meanwhile, not the client; a client that ends leaves the rest to the next one.
    func carryOver(_ inheritance: Migrator.Inheritance, with migrator: Migrator) {
        guard values.autoAddSegmentDestination else { return }  // they wait for a client that sends
        migrator.carryOver(inheritance) { [inbox, pipeline, time = values.time] event in
            var event = event
            if event["timestamp"] == nil {
                event["timestamp"] = .string(ISO8601.string(milliseconds: time.milliseconds))
            }
            let record = InboxRecord(form: .carriedOver, trackedAt: time.milliseconds, event: event)
            inbox.append(record.encoded)
            pipeline.wake()
            return inbox.isDurable
        }
    }
}

extension Storage {
    /// What takes over the data of another library; nil for a client that keeps nothing itself, or that
    /// has its write key together with one that came before it.
    func migrator(_ values: Configuration.Values, _ report: @escaping @Sendable (Diagnostic) -> Void) -> Migrator? {
        guard let location, lane == 0 else { return nil }
        return Migrator(
            migration: values.migration, writeKey: values.writeKey, folder: location.folder, report: report)
    }
}
