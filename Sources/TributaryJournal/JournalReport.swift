/// Something that a journal found or did and that its owner should know. The journal continues regardless.
public enum JournalReport: Sendable, Hashable {
    /// The process or the machine stopped while the last record was being written. These bytes were cut off.
    case tornTail(bytes: Int)
    /// Records with bytes that changed after they were written, or that vanished from a segment. They were skipped.
    case damagedRecords(records: Int, bytes: Int)
    /// The header of a segment is damaged. Its records are still read.
    case damagedHeader(file: String)
    /// Segments above the watermark are missing, and these records with them.
    case missingSegments(records: Int)
    /// The mark was missing or damaged: records that had been removed may come back, and `markData` is empty.
    case damagedMark
    /// A newer version wrote this segment. The journal leaves it alone.
    case newerFormat(file: String)
    /// This segment cannot be read now, which is not damage. A cursor throws when it gets there.
    case unreadable(file: String, errno: Int32)
    /// A file with the name of a segment that is not one of this journal's. The journal leaves it alone.
    case foreignFile(file: String)
    /// One of the `JournalBounds` was exceeded, and the oldest records were dropped. Records that the reader had taken
    /// do not count.
    case droppedOldest(records: Int, bytes: Int, because: JournalBounds.Kind)
    /// The number of further reports, beyond the reports that can wait.
    case unlisted(reports: Int)
}
