/// The logs of a lane, as they are opened.
struct LaneFiles {
    static let inboxName = "inbox"
    static let outboxName = "outbox"
    static let deadLettersName = "dead-letters"
    static let pendingName = "pending"
    static let deliveryStateName = "delivery.json"

    let number: UInt64
    let inbox: any RecordLog
    let outbox: any RecordLog
    let deadLetters: SwitchedLog.Opening

    /// Logs that nothing was written to, for those of a lane that were deleted; nil for one that is still there.
    struct Replacements {
        let number: UInt64
        let inbox: (any RecordLog)?
        let outbox: (any RecordLog)?
        let deadLetters: SwitchedLog.Opening
    }
}
