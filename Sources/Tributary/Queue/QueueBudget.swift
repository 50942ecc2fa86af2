import TributaryJournal

/// Divides the room of a write key on disk.
enum QueueBudget {
    /// A client's part of the limit: an even share, or more when the others need less.
    static func bounds(
        of limits: JournalBounds, live: Int, othersBytes: Int, othersRecords: Int
    ) -> JournalBounds {
        JournalBounds(
            bytes: max(limits.bytes / max(live, 1), limits.bytes - othersBytes),
            records: max(limits.records / max(live, 1), limits.records - othersRecords), age: limits.age)
    }

    /// The part of dead letters. They are only kept for people to look at, so they get a small share.
    static func deadLetters(of limits: JournalBounds) -> JournalBounds {
        JournalBounds(bytes: limits.bytes / 8, records: limits.records / 8, age: limits.age)
    }

    /// The parts of inbox and outbox of one queue. Events in the outbox are older, so they are dropped first. Each log
    /// has at least an eighth, because a journal with very little room makes a file for each record.
    static func split(
        _ bounds: JournalBounds, inboxBytes: Int, inboxRecords: Int, outboxBytes: Int, outboxRecords: Int
    ) -> (inbox: JournalBounds, outbox: JournalBounds) {
        func part(_ limit: Int, _ used: Int) -> Int { max(limit / 8, limit - used) }
        let outbox = JournalBounds(
            bytes: part(bounds.bytes, inboxBytes), records: part(bounds.records, inboxRecords), age: bounds.age)
        let inbox = JournalBounds(
            bytes: part(bounds.bytes, min(outboxBytes, bounds.bytes / 8)),
            records: part(bounds.records, min(outboxRecords, bounds.records / 8)), age: bounds.age)
        return (inbox, outbox)
    }
}
