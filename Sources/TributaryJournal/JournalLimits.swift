/// The limits of a journal.
public enum JournalLimits {
    /// Bytes of one payload or snapshot: 16 MiB. A reader holds one record in memory at a time, so this also bounds its
    /// memory.
    public static let payloadBytes = 16 << 20
    /// Bytes of the caller's data in the mark: 256, so that the mark stays one small write.
    public static let markDataBytes = 256
    /// The highest sequence: 2^62, so that arithmetic with sequences cannot overflow.
    public static let sequence: UInt64 = 1 << 62

    /// Bytes that a reader reads at once, unless one record is larger.
    static let readBytes = 64 << 10
    /// Bytes of a segment header or a mark, of any version.
    static let headerBytes = 4096
    /// Reports that wait for the owner. Further ones are only counted.
    static let reports = 64
}
