/// The facts about one segment file that the journal knows without reading it.
struct Segment: Sendable {
    /// The owner of the file, which decides what may be done with it.
    enum Standing: Sendable {
        /// Ours: read and, when it is no longer needed, deleted.
        case ours
        /// It could not be read when the journal was opened. Its place is known from its name; it is not deleted.
        case unverified
        /// Written by a newer version: neither read nor deleted.
        case newer
    }

    /// Its first sequence.
    let first: UInt64
    /// The sequence after its last record.
    var end: UInt64
    /// Its name in the folder.
    let name: String
    /// Its size on disk.
    var bytes: Int
    var standing: Standing
    /// Where its first frame begins.
    var start = SegmentHeader.size
    /// When it began, in seconds since 1970, by the clock of that moment; 0 when not known.
    var storedAt: Int64 = 0
    /// Losses below this sequence were reported; several cursors come by.
    var lossesReportedBelow: UInt64 = 0
}
