/// The limits of a journal. Records beyond them are dropped, the oldest first, in whole segments.
///
/// The newest segment always stays. A segment ends early enough that it holds at most an eighth of each limit, so a
/// journal can exceed a limit by about that much.
public struct JournalBounds: Sendable, Hashable {
    /// The limit that was exceeded.
    public enum Kind: String, Sendable, Hashable {
        /// Too many bytes on disk.
        case bytes
        /// Too many records.
        case records
        /// Records that are too old.
        case age
    }

    /// Bytes of all segments on disk; 50 MB unless set.
    public var bytes: Int
    /// Records that were not removed; a million unless set.
    public var records: Int
    /// The largest age of a record in seconds; 30 days unless set. A record is dropped up to an eighth of this, and at
    /// most a day, later. `StoringTimes` handles a clock that is wrong.
    public var age: Int

    /// Limits with their defaults. Values below one count as one.
    public init(bytes: Int = 50_000_000, records: Int = 1_000_000, age: Int = 30 * 86_400) {
        self.bytes = max(bytes, 1)
        self.records = max(records, 1)
        self.age = max(age, 1)
    }

    /// The time in seconds for which a segment accepts records, which is also the precision of ages.
    var ageStep: Int64 { min(86_400, max(Int64(age) / 8, 1)) }
}
