/// How a journal is kept.
public struct JournalOptions: Sendable {
    /// What an append survives once it has returned.
    public enum Durability: Sendable {
        /// The death of the process. Records reach the medium when the system or `sync()` brings them there.
        case process
        /// The power going out: every append waits for the medium.
        case everyAppend
    }

    /// Bytes after which a new segment begins; 1 MiB unless set. A record is never split, so a segment can be larger.
    public var segmentBytes: Int
    /// Bytes on disk above which the oldest whole segments are dropped; 50 MB unless set. The newest segment stays.
    public var maximumBytes: Int
    /// What an append survives; `.process` unless set.
    public var durability: Durability
    /// Makes the random number that tells the life of this folder from every other one.
    public var makeEpoch: @Sendable () -> UInt64

    /// Options with their defaults.
    public init(
        segmentBytes: Int = 1 << 20,
        maximumBytes: Int = 50_000_000,
        durability: Durability = .process,
        makeEpoch: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 1...UInt64.max) }
    ) {
        self.segmentBytes = segmentBytes
        self.maximumBytes = maximumBytes
        self.durability = durability
        self.makeEpoch = makeEpoch
    }
}
