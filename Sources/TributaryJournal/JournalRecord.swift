/// One record as it was appended.
public struct JournalRecord: Sendable, Hashable {
    /// The place of the record in its journal. Sequences ascend from 1, and are never used twice in an epoch.
    public let sequence: UInt64
    /// The origin of the record, if it has one.
    public let tag: JournalTag?
    /// The payload.
    public let payload: [UInt8]

    package init(sequence: UInt64, tag: JournalTag?, payload: [UInt8]) {
        self.sequence = sequence
        self.tag = tag
        self.payload = payload
    }
}

/// The facts about a journal that are known without reading records.
package struct JournalHead: Sendable {
    /// The epoch of the journal: a new journal has another one.
    package var epoch: UInt64
    /// The highest sequence that was given to a record or reserved; 0 when there is none.
    package var lastSequence: UInt64
    /// The sequence up to which records were removed; 0 when none were.
    package var watermark: UInt64
    /// The tag of the newest record that has one.
    package var lastTag: JournalTag?
    /// The bytes that were stored with the latest removal.
    package var mark: [UInt8]
    /// Whether a purge failed, so that another opening can bring the purged records back.
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
