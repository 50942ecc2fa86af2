/// One record as it was appended.
public struct JournalRecord: Sendable, Hashable {
    /// The place of the record in its journal: ascending, from 1, never used twice in an epoch.
    public let sequence: UInt64
    /// Where the record came from, if that was given.
    public let tag: JournalTag?
    /// The bytes that were appended.
    public let payload: [UInt8]

    package init(sequence: UInt64, tag: JournalTag?, payload: [UInt8]) {
        self.sequence = sequence
        self.tag = tag
        self.payload = payload
    }
}

/// What is known of a journal without a look at its records.
package struct JournalHead: Sendable {
    /// The life of the journal: a new one has another epoch.
    package var epoch: UInt64
    /// The highest sequence that was given to a record or reserved; 0 when there is none.
    package var lastSequence: UInt64
    /// The sequence up to which records were removed; 0 when none were.
    package var watermark: UInt64
    /// The tag of the newest record that has one.
    package var lastTag: JournalTag?
    /// The bytes that were stored with the latest removal.
    package var mark: [UInt8]
    /// Whether a purge failed, so that an opening can bring back what it gave up.
    package var owesPurge: Bool

    package init(
        epoch: UInt64, lastSequence: UInt64, watermark: UInt64, lastTag: JournalTag?, mark: [UInt8], owesPurge: Bool
    ) {
        self.epoch = epoch
        self.lastSequence = lastSequence
        self.watermark = watermark
        self.lastTag = lastTag
        self.mark = mark
        self.owesPurge = owesPurge
    }
}
