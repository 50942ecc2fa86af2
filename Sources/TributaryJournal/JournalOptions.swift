/// The options of a journal.
public struct JournalOptions: Sendable {
    /// The failure that an append survives after it has returned.
    public enum Durability: Sendable {
        /// The end of the process. The system or `sync()` brings records to the medium. An owner that wants them there
        /// at intervals calls `sync()` from a timer.
        case process
        /// A power cut: every append waits for the medium.
        case everyAppend
        /// A power cut: an append returns when its bytes are on the medium, and appends that wait at the same time
        /// share one sync. Readers can see a record earlier.
        case groupCommit

        var survivesPowerLoss: Bool { self != .process }
    }

    /// How other processes are kept out of the folder.
    public enum Ownership: Sendable {
        /// A lock on a file keeps every other process out. It ends with the process.
        case exclusive
        /// A time in a file keeps other processes out. The owner renews it, and checks before it writes after a pause
        /// whether it still has the folder. For folders that an app shares with its extensions: the system ends a
        /// process that is suspended with a lock there.
        case lease(Lease)
    }

    /// How long a folder is leased, and to which owner.
    public struct Lease: Sendable, Equatable {
        /// Seconds without a renewal after which another process may take the folder.
        public var seconds: Int
        /// Identifies the program of the owner.
        public var owner: UInt64
        /// Whether the system runs only one process of that owner at a time. Then an earlier one has ended.
        public var isOnlyProcess: Bool

        /// A lease of a minute by default.
        public init(seconds: Int = 60, owner: UInt64, isOnlyProcess: Bool) {
            self.seconds = seconds
            self.owner = owner
            self.isOnlyProcess = isOnlyProcess
        }

        var milliseconds: Int64 { Int64(clamping: max(seconds, 1)) * 1000 }
    }

    /// The size in bytes at which a new segment begins; 1 MiB unless set, less when the limits are small. A record is
    /// never split, so a segment can be larger.
    public var segmentBytes: Int
    /// The limits; `Journal.setBounds` changes them later.
    public var bounds: JournalBounds
    /// The failure that an append survives; `.process` unless set.
    public var durability: Durability
    /// How other processes are kept out of the folder; `.exclusive` unless set.
    public var ownership: Ownership
    /// Encrypts the content; nil unless set. See `JournalError.Reason.otherKey`.
    public var cipher: (any JournalCipher)?
    /// The wall clock in milliseconds since 1970; the system's unless set. A precision of one second is enough. Every
    /// append reads it, so it should be fast.
    public var now: @Sendable () -> Int64
    /// Makes the random number that becomes the epoch.
    public var makeEpoch: @Sendable () -> UInt64
    /// Whether the owner will append the record with that tag again after the opening. Nil unless set: then it never
    /// does.
    ///
    /// A power cut can lose the beginning of a write and keep its end. If every record after the first gap of the
    /// newest segment will be appended again, the opening cuts the segment there. So records keep their order.
    /// Otherwise the records after a gap stay.
    package var comesAgain: (@Sendable (JournalTag) -> Bool)?

    /// Options with their defaults.
    public init(
        segmentBytes: Int = 1 << 20,
        bounds: JournalBounds = JournalBounds(),
        durability: Durability = .process,
        ownership: Ownership = .exclusive,
        cipher: (any JournalCipher)? = nil,
        now: @escaping @Sendable () -> Int64 = JournalOptions.systemTime,
        makeEpoch: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 1...UInt64.max) }
    ) {
        self.segmentBytes = segmentBytes
        self.bounds = bounds
        self.durability = durability
        self.ownership = ownership
        self.cipher = cipher
        self.now = now
        self.makeEpoch = makeEpoch
    }
}
