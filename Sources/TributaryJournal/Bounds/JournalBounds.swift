/// How much a journal keeps. What is beyond goes, the oldest first, in whole segments.
///
/// The newest segment always stays, and a segment is ended early enough that it holds an eighth of each bound at the
/// most; so a journal can be over a bound by about that much.
public struct JournalBounds: Sendable, Hashable {
    /// Which of the bounds was exceeded.
    public enum Kind: String, Sendable, Hashable {
        /// Too many bytes on disk.
        case bytes
        /// Too many records.
        case records
        /// Records that were stored too long ago.
        case age
    }

    /// Bytes of all segments on disk; 50 MB unless set.
    public var bytes: Int
    /// Records that were not removed; a million unless set.
    public var records: Int
    /// Seconds since a record was stored; 30 days unless set. A record goes up to an eighth of this, and at most a day,
    /// later. How a clock that is wrong is dealt with stands at `StoringTimes`.
    public var age: Int

    /// Bounds with their defaults; less than one counts as one.
    public init(bytes: Int = 50_000_000, records: Int = 1_000_000, age: Int = 30 * 86_400) {
        self.bytes = max(bytes, 1)
        self.records = max(records, 1)
        self.age = max(age, 1)
    }

    /// Seconds for which a segment takes records, and the exactness of ages.
    var ageStep: Int64 { min(86_400, max(Int64(age) / 8, 1)) }
}
