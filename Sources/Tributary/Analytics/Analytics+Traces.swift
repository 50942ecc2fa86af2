extension Analytics {
    /// Sends traces of every event for the inspector, or else of those that the server orders; nil when the app wants neither.
    static func traces(_ values: Configuration.Values, _ directory: QueueDirectory) -> TraceSender? {
        guard values.inspector || values.remoteTracing else { return nil }
        return TraceSender(
            scope: values.inspector ? .all : .ordered, writeKey: values.writeKey, time: values.time,
            transport: directory.transport, conditions: directory.conditions, report: directory.report)
    }

    /// Begins to take orders of the server.
    func takeTraceOrders() {
        guard let traces else { return }
        uploader.whenConfirmed { traces.follow($0) }
        _ = writer.observePermit { permit in
            if permit == .refused { traces.forget() }
        }
    }
}
