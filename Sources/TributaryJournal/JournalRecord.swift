/// One record as it was appended.
public struct JournalRecord: Sendable, Hashable {
    /// The place of the record in its journal: ascending, from 1, never used twice in an epoch.
    public let sequence: UInt64
    /// Where the record came from, if that was given.
    public let tag: JournalTag?
    /// The bytes that were appended.
    public let payload: [UInt8]
}
