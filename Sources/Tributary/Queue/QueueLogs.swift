import TributaryJournal

/// The opened logs of an event queue. A journal that is released closes its files.
struct QueueLogs {
    static let inboxName = "inbox"
    static let outboxName = "outbox"
    static let deadLettersName = "dead-letters"
    static let pendingName = "pending"
    static let deliveryStateName = "delivery.json"

    /// The number in the name of the queue's folder.
    let number: UInt64
    /// Nil when events are in memory. In a replacement, nil for a log that still has its files.
    var inbox: (any RecordLog)?
    var outbox: (any RecordLog)?
    let deadLetters: DeadLetterLog.Opening

    /// Whether the logs were never written to.
    var areUnused: Bool {
        [inbox, outbox].allSatisfy { log in
            log.map { $0.head.lastSequence == 0 && $0.snapshot == nil && $0.count == 0 } ?? true
        }
    }
}
