package import TributaryJSON

extension Analytics {
    /// Sends traces of every event for the inspector, or else of the events that the server asks for; nil without either.
    static func traces(_ values: Configuration.Values, _ directory: QueueDirectory) -> TraceSender? {
        guard values.inspector || values.remoteTracing else { return nil }
        return TraceSender(
            scope: values.inspector ? .all : .ordered, writeKey: values.writeKey, time: values.time,
            transport: directory.transport, conditions: directory.conditions, report: directory.report)
    }

    /// Calls the handler with the trace of each event that has been through the plugins: what each of them did, with the
    /// values that changed. Traces cost time, so this is for debug builds.
    /// - Parameter handler: called on the client's executor, which waits for it.
    /// - Returns: ends the observation.
    package func observeTraces(_ handler: @escaping @Sendable (JSON) -> Void) -> Observation {
        let observers = pipeline.traceObservers
        let id = observers.add { handler($0.json(.all)) }
        return Observation { observers.remove(id) }
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
