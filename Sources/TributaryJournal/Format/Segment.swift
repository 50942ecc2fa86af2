/// The facts about a segment file that the journal knows without reading it.
struct Segment: Sendable {
    /// How the journal may use the file.
    enum Standing: Sendable {
        /// The file is the journal's: it is read, and deleted when it is no longer needed.
        case ours
        /// The file could not be read when the journal was opened. Its name gives its place. It is not deleted.
        case unverified
        /// A newer version wrote the file. It is neither read nor deleted.
        case newer
    }

    /// The first sequence.
    let first: UInt64
    /// The sequence after its last record.
    var end: UInt64
    /// The file's name in the folder.
    let name: String
    /// The size on disk.
    var bytes: Int
    var standing: Standing
    /// The offset of the first frame.
    var start = SegmentHeader.size
    /// The time of its beginning in seconds since 1970, by the clock of that moment; 0 when unknown.
    var storedAt: Int64 = 0
    /// Losses below this sequence were already reported; several cursors may find them.
    var lossesReportedBelow: UInt64 = 0
}
