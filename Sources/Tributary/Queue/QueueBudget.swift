import TributaryJournal

/// How much of a write key's room on disk belongs to whom.
enum QueueBudget {
    /// A client's part of the limit: its even share, or more where the others leave room.
    static func bounds(
        of limits: JournalBounds, live: Int, othersBytes: Int, othersRecords: Int
    ) -> JournalBounds {
        JournalBounds(
            bytes: max(limits.bytes / max(live, 1), limits.bytes - othersBytes),
            records: max(limits.records / max(live, 1), limits.records - othersRecords), age: limits.age)
    }

    /// What a server refused for good is kept for somebody to look at, so it gets no more than a margin of the room.
    static func deadLetters(of limits: JournalBounds) -> JournalBounds {
        JournalBounds(bytes: limits.bytes / 8, records: limits.records / 8, age: limits.age)
    }

    /// The parts of inbox and outbox of one queue. What is in the outbox is older, so it goes first; but each has an
    /// eighth in any case, because a journal with next to no room makes a file for each record.
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
