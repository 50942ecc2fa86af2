/// The origin of a record: a record of another journal.
///
/// An outbox stores the origin of every record, so that a repeat after a crash is recognised.
public struct JournalTag: Sendable, Hashable {
    /// The number that its owner gave the log of the origin.
    public var log: UInt64
    /// The epoch of the origin's journal.
    public var epoch: UInt64
    /// The sequence of the origin.
    public var sequence: UInt64

    /// A tag with these three numbers. The journal does not interpret them.
    public init(log: UInt64, epoch: UInt64, sequence: UInt64) {
        self.log = log
        self.epoch = epoch
        self.sequence = sequence
    }

    package static let size = 24

    /// The form of the tag in frames and marks.
    package var bytes: [UInt8] {
        Array.littleEndian(log) + Array.littleEndian(epoch) + Array.littleEndian(sequence)
    }

    /// Reads a tag; nil when the bytes are not a tag.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self = bytes.withUnsafeBytes { JournalTag($0, at: 0) }
    }

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        log = bytes.integer(at: offset, as: UInt64.self)
        epoch = bytes.integer(at: offset + 8, as: UInt64.self)
        sequence = bytes.integer(at: offset + 16, as: UInt64.self)
    }

    func store(in bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
        bytes.store(log, at: offset)
        bytes.store(epoch, at: offset + 8)
        bytes.store(sequence, at: offset + 16)
    }
}
