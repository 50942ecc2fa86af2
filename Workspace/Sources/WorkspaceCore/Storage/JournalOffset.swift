/// A place in the journal of acknowledged requests.
package struct JournalOffset: Sendable, Equatable {
    /// The epoch of the journal: a new folder begins another one.
    package let epoch: UInt64
    package let sequence: UInt64

    package init(epoch: UInt64, sequence: UInt64) { (self.epoch, self.sequence) = (epoch, sequence) }

    /// The message id of an event that came without one: the same each time that the place is indexed.
    package func messageId(_ index: Int) -> String { "\(String(epoch, radix: 16))-\(sequence)-\(index)" }
}
