import TributaryJSON

/// The closures of calls until the pipeline has processed their events. Only this process has them.
struct PendingClosures {
    private var byMessageId: [String: [EnrichmentClosure]] = [:]
    private let limit: Int

    init(limit: Int = Limits.pendingClosures) { self.limit = limit }

    var messageIds: Set<String> { Set(byMessageId.keys) }

    /// - Returns: false when too many closures wait.
    mutating func keep(_ closures: [EnrichmentClosure], for messageId: String) -> Bool {
        guard byMessageId.count < limit else { return false }
        byMessageId[messageId] = closures
        return true
    }

    /// Removes and returns the closures of an event that is processed now.
    mutating func take(for event: JSONObject) -> [EnrichmentClosure] {
        guard !byMessageId.isEmpty, let messageId = event["messageId"]?.stringValue else { return [] }
        return byMessageId.removeValue(forKey: messageId) ?? []
    }

    mutating func remove(_ messageIds: Set<String>) {
        byMessageId = byMessageId.filter { !messageIds.contains($0.key) }
    }
}
