/// The origin of a record: a record of another journal.
///
/// An outbox stores the origin of every record, so that a repeat after a crash is recognised.
public struct JournalTag: Sendable, Hashable {
    /// The lane of the origin.
    public var lane: UInt64
    /// The epoch of the origin's journal.
    public var epoch: UInt64
    /// The sequence of the origin.
    public var sequence: UInt64

    /// A tag of those three numbers; the journal gives them no meaning of its own.
    public init(lane: UInt64, epoch: UInt64, sequence: UInt64) {
        self.lane = lane
        self.epoch = epoch
        self.sequence = sequence
    }

    static let size = 24

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        lane = bytes.integer(at: offset, as: UInt64.self)
        epoch = bytes.integer(at: offset + 8, as: UInt64.self)
        sequence = bytes.integer(at: offset + 16, as: UInt64.self)
    }

    func store(in bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
        bytes.store(lane, at: offset)
        bytes.store(epoch, at: offset + 8)
        bytes.store(sequence, at: offset + 16)
    }
}
