import TributaryJournal

/// A removal of the oldest records of a log, with the bytes to store beside it.
struct Removal: Sendable, Equatable {
    /// The newest record to remove.
    let through: UInt64
    /// Nil keeps the earlier bytes.
    var mark: [UInt8]?

    /// This removal and a later one in one step.
    func adding(_ later: Removal) -> Removal {
        Removal(through: max(through, later.through), mark: later.mark ?? mark)
    }

    /// The rest that a log with that head has still to store after it has stored this; nil when there is none.
    func rest(for head: JournalHead) -> Removal? {
        through > head.lastSequence ? Removal(through: through) : nil
    }

    /// Whether a log with that head has something to store.
    func isNews(for head: JournalHead) -> Bool { mark != nil || through > head.watermark }
}
