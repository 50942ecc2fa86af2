import TributaryJSON

extension SuppressionList {
    func refuses(_ event: IncomingEvent) -> Bool {
        // The text of an event is JSON.
        refuses(
            userId: event.userId, anonymousId: event.anonymousId, names: (try? event.scanned())?.ids ?? [],
            at: event.times.timestamp)
    }

    func refuses(_ signal: IncomingSignal) -> Bool {
        refuses(userId: nil, anonymousId: signal.anonymousId, names: Self.names(signal.body), at: signal.timestamp)
    }

    func refuses(_ trace: IncomingTrace) -> Bool {
        refuses(userId: nil, anonymousId: nil, names: Self.names(trace.body), at: trace.trackedAt)
    }

    /// - Parameter receivedAt: when it came; the time of an event that says none.
    func refuses(_ rejected: RejectedEvent, receivedAt: Int64) -> Bool {
        // A text that is not JSON names no user.
        let item = try? JSON.parse(rejected.body)
        let time = item?["timestamp"].flatMap(EventTime.milliseconds)
        let names = Self.names(rejected.body)
        return refuses(
            userId: names.first, anonymousId: item?["anonymousId"]?.stringValue, names: names, at: time ?? receivedAt)
    }

    /// The users that a text names; none when it is no JSON.
    static func names(_ body: [UInt8]) -> [String] { (try? ScannedBody.of(body))?.ids ?? [] }
}

extension IncomingBatch {
    /// Takes out what is not to be stored.
    /// - Returns: how much that was.
    mutating func remove(by list: SuppressionList) -> Int {
        guard !list.isEmpty else { return 0 }
        let before = rowCount
        events.removeAll(where: list.refuses)
        signals.removeAll(where: list.refuses)
        traces.removeAll(where: list.refuses)
        rejected.removeAll { list.refuses($0, receivedAt: receivedAt) }
        return before - rowCount
    }
}
