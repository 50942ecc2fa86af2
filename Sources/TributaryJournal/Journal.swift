/// An append-only log of records in a folder of its own: checksummed, bounded, and owned by one journal at a time.
///
/// A record is a payload of bytes that the journal does not interpret. It gets an ascending sequence. Any number of
/// cursors can read it while others append. It stays until it is removed, or until the limits drop the oldest records.
///
///     <folder>/
///         lock                      locked by the owner with flock, or the time until which its lease holds
///         mark                      the sequence up to which records were removed, and the caller's bytes
///         0000000000000001.tjl      a segment: header, snapshot, records 1, 2, …
///         0000000000000a3f.tjl      the active segment, which is appended to
///         spare-7.tjl               empty; becomes the next segment
///
/// All methods may be called on any thread. `append` waits only for threads that do a single `write`. The condition is
/// that the owner calls `prepare()` off the caller's path, often enough that a spare file is ready when a segment is
/// full.
///
/// After a crash, at most the record that was being written is missing. Damage is skipped, reported, and never read as
/// a record.
///
/// ```swift
/// let journal = try Journal.open("/var/lib/app/journal")
/// try journal.append(Array("an event".utf8))
/// var cursor = journal.cursor()
/// while let record = try cursor.next() {
///     print(record.sequence, record.payload.count)    // work with the record; then it is not needed any more
///     try journal.removeThrough(record.sequence)
/// }
/// journal.close()
/// ```
public final class Journal: Sendable {
    /// A random number that distinguishes this journal from every other one that has used the folder. Together with a
    /// sequence it names a record permanently.
    public let epoch: UInt64

    let folder: String
    let options: JournalOptions
    let files: any FileSystem
    let key: FrameKey
    /// The part of the key and the options that every append needs. Copying the whole would cost more than using it.
    let check: CRC32C
    let isPlain: Bool
    let overhead: Int
    let durability: JournalOptions.Durability
    let now: @Sendable () -> Int64
    /// Held for a change in memory or one `write`, never longer, except for a full segment without a spare file.
    let state: Locked<JournalState>
    /// The part of the opening that an append does not need. The first call that needs it does it; then this is nil.
    /// Taken before `state` and after `maintenance`.
    private let opening: Locked<JournalOpening?>
    /// Callers that wait until their records are on the medium.
    let commit: GroupCommit
    /// Held while the mark is written, files are deleted and the spare is made. Taken before `state`, never after it.
    let maintenance = Locked(Upkeep())
    /// Held during a purge. Taken before all other locks. The value has no meaning. A value without a size would have
    /// the address of the lock, and look like a race.
    let purging = Locked(false)

    /// Opens the journal in a folder, which is created when it is missing.
    ///
    /// This reads the last segment, however large the backlog. The first call that needs the headers of the others
    /// reads them; an append never does. Files are private to this user.
    /// - Throws: `.inUse` when another journal has the folder, `.newerFormat` when a newer version has used it,
    ///   `.otherKey` when it was encrypted with another key than the options', `.unreadable` when the device is locked
    ///   and another attempt may succeed later, or the system's error.
    public static func open(
        _ folder: String, options: JournalOptions = JournalOptions()
    ) throws(JournalError) -> Journal {
        try open(folder, options: options, files: PosixFileSystem())
    }

    /// Opens a journal in another file system.
    package static func open(
        _ folder: String, options: JournalOptions, files: any FileSystem
    ) throws(JournalError) -> Journal {
        let opening = JournalOpening(folder: folder, options: options, files: files)
        let state = try opening.run()
        return Journal(state, opening)
    }

    private init(_ state: JournalState, _ opening: JournalOpening) {
        let (folder, options, files) = (opening.folder, opening.options, opening.files)
        self.opening = Locked(opening.rest == nil ? nil : opening)
        epoch = state.epoch
        key = FrameKey(epoch: state.epoch, cipher: options.cipher)
        check = key.check
        isPlain = key.seal == nil
        overhead = key.overhead
        self.folder = folder
        self.options = options
        durability = options.durability
        now = options.now
        self.files = files
        self.state = Locked(state)
        commit = GroupCommit(JournalSync(folder: folder, options: options, files: files, state: self.state))
    }

    deinit { close() }

    /// Releases the folder. Every later call throws `.closed`, except counters and reports. A second call does nothing.
    ///
    /// Records for which a caller waits are synced to the medium first.
    public func close() {
        commit.end()
        maintenance.withLock { upkeep in
            if !state.withLock({ $0.isClosed }) { catchUp(&upkeep) }
            // Later the files may belong to another journal.
            opening.withLock { $0 = nil }
            let (spare, lock, active) = state.withLock { state in
                defer {
                    state.spare = nil
                    state.folderLock = nil
                }
                return (state.spare, state.folderLock, state.endSegment())
            }
            // The next opening deletes a spare that stays behind.
            if let spare { try? files.removeFile(path(spare.name)) }
            withExtendedLifetime(active) { lock?.release() }
        }
    }

    func path(_ name: String) -> String { folder + "/" + name }

    /// Does what the opening left. Does nothing when that is done.
    func finishOpening() throws(JournalError) {
        try opening.withLock { opening throws(JournalError) in
            guard opening != nil, let segments = try opening?.finish() else { return }
            let reports = opening?.reports.take() ?? []
            opening = nil
            state.withLock { $0.found(segments, reports) }
        }
    }

    /// Whether the opening left nothing. False also while another thread does that work, so that no caller waits for
    /// it.
    var isOpeningFinished: Bool { opening.tryWithLock { $0 == nil } ?? false }
}

// MARK: - Counters

extension Journal {
    /// The number of records above the watermark. Damaged ones count until a cursor finds them. Cheap after the first
    /// call.
    public var count: Int { finished { $0.recordCount } }

    /// The number of records above the watermark and after a sequence.
    package func count(after sequence: UInt64) -> Int { finished { $0.recordCount(after: sequence) } }

    /// The bytes of all segments on disk, including removed records that share a segment with others. Cheap after the
    /// first call.
    public var byteCount: Int { finished { $0.byteCount } }

    /// The lowest sequence that can be read; `lastSequence` plus one when there is none.
    public var firstSequence: UInt64 { finished { $0.firstReadable } }

    /// The highest sequence that was given to a record or reserved; 0 when there is none.
    public var lastSequence: UInt64 { state.withLock { $0.next - 1 } }

    /// The sequence up to which records were removed; 0 when none were.
    public var watermark: UInt64 { state.withLock { $0.watermark } }

    /// The tag of the newest record that has one, removed records included.
    public var lastTag: JournalTag? { state.withLock { $0.lastTag } }

    /// The newest snapshot, even when the records after it are removed.
    public var snapshot: [UInt8]? { state.withLock { $0.snapshot }?.untaggedPayload }

    /// The bytes that were given to `removeThrough` last; empty when there are none.
    public var markData: [UInt8] { state.withLock { $0.markData } }

    /// The values of `lastSequence`, `watermark`, `lastTag`, `markData` and `owesPurge` at one moment.
    package var head: JournalHead {
        state.withLock { state in
            JournalHead(
                epoch: epoch, lastSequence: state.next - 1, watermark: state.watermark, lastTag: state.lastTag,
                mark: state.markData, owesPurge: state.owesPurge)
        }
    }

    /// Returns and forgets the reports since the last call. Counts of one kind are added up.
    public func takeReports() -> [JournalReport] { finished { $0.reports.take() } }

    /// Computes a value after the opening was finished. When that is not possible now, the names of the files have to
    /// be enough.
    func finished<Result>(_ body: (inout JournalState) -> Result) -> Result {
        try? finishOpening()
        return state.withLock(body)
    }
}
