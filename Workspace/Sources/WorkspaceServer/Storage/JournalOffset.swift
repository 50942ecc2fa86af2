/// A place in the journal of acknowledged requests.
struct JournalOffset: Sendable, Equatable {
    /// The epoch of the journal: a new folder begins another one.
    let epoch: UInt64
    let sequence: UInt64

    /// The message id of an event that came without one: the same each time that the place is indexed.
    func messageId(_ index: Int) -> String { "\(String(epoch, radix: 16))-\(sequence)-\(index)" }
}
