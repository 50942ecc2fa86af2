/// How a journal is kept.
public struct JournalOptions: Sendable {
    /// What an append survives once it has returned.
    public enum Durability: Sendable {
        /// The death of the process. Records reach the medium when the system or `sync()` brings them there; an owner
        /// who wants them there every so many milliseconds calls that from a timer.
        case process
        /// The power going out: every append waits for the medium.
        case everyAppend
        /// The power going out: an append returns when its bytes are on the medium, and appends that wait at the same
        /// time share one sync. Readers can see a record before that.
        case groupCommit

        var survivesPowerLoss: Bool { self != .process }
    }

    /// How other users of the folder are kept out.
    public enum Ownership: Sendable {
        /// A lock on a file keeps every other process out, and goes when the process dies.
        case exclusive
        /// A time in a file keeps others out; the owner renews it, and looks whether the folder is still its own before it
        /// writes after a pause. For containers that are shared with app extensions: the system ends a process that is
        /// suspended with a lock there.
        case lease(Lease)
    }

    /// How a folder is had for a while.
    public struct Lease: Sendable, Equatable {
        /// After how much silence the folder may be another's.
        public var seconds: Int
        /// Tells the processes of one program from those of others.
        public var owner: UInt64
        /// Whether the system runs one process of that owner at a time, so that an earlier one has ended.
        public var isOnlyProcess: Bool

        /// A lease of a minute, unless told otherwise.
        public init(seconds: Int = 60, owner: UInt64, isOnlyProcess: Bool) {
            self.seconds = seconds
            self.owner = owner
            self.isOnlyProcess = isOnlyProcess
        }

        var milliseconds: Int64 { Int64(clamping: max(seconds, 1)) * 1000 }
    }

    /// Bytes after which a new segment begins; 1 MiB unless set, less when the bounds are small. A record is never split,
    /// so a segment can be larger.
    public var segmentBytes: Int
    /// How much is kept; `Journal.setBounds` changes it later.
    public var bounds: JournalBounds
    /// What an append survives; `.process` unless set.
    public var durability: Durability
    /// How other users of the folder are kept out; `.exclusive` unless set.
    public var ownership: Ownership
    /// Seals what is stored; nil, unless set, stores it as it is. See `JournalError.Reason.otherKey`.
    public var cipher: (any JournalCipher)?
    /// The wall clock in milliseconds since 1970; the system's unless set. One second is exact
    /// enough. It is read by every append, so it should be fast.
    public var now: @Sendable () -> Int64
    /// Makes the random number that tells the life of this folder from every other one.
    public var makeEpoch: @Sendable () -> UInt64
    /// Whether the owner appends the record of that tag again after the opening; nil, unless set, when it never does.
    ///
    /// A power cut can take the beginning of a write and leave its end. If every record behind the first gap of the newest
    /// segment comes again, the opening cuts the segment there: so records keep the order in which they were appended.
    /// Otherwise what is behind a gap stays.
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
