/// Something that a journal found or did and that its owner should know; it went on regardless.
public enum JournalReport: Sendable, Hashable {
    /// The last record was only partly written when the process or the machine stopped; these bytes were cut off.
    case tornTail(bytes: Int)
    /// Records whose bytes changed since they were written, or vanished from a segment; they were passed over.
    case damagedRecords(records: Int, bytes: Int)
    /// The header of a segment is damaged; its records are read nevertheless.
    case damagedHeader(file: String)
    /// Segments above the watermark are gone, and these records with them.
    case missingSegments(records: Int)
    /// The mark was missing or damaged: records that had been removed may come back, and `markData` is empty.
    case damagedMark
    /// A newer version wrote this segment; it is left alone.
    case newerFormat(file: String)
    /// This segment cannot be read now, which is not damage; a cursor throws when it gets there.
    case unreadable(file: String, errno: Int32)
    /// A file that has the name of a segment but is none of this journal's; it is left alone.
    case foreignFile(file: String)
    /// One of the `JournalBounds` was exceeded, and the oldest records were dropped.
    case droppedOldest(records: Int, bytes: Int, because: JournalBounds.Kind)
    /// So many reports more than can wait were made.
    case unlisted(reports: Int)
}
