/// An append-only log of records in a folder of its own: checksummed, bounded, and owned by one at a time.
///
/// A record is a payload of bytes that the journal does not look into. It gets an ascending sequence, can be read by
/// any number of cursors while others append, and stays until it is removed or the oldest are dropped for want of room.
///
///     <folder>/
///         lock                      held by the owner with flock, or says until when they have the folder
///         mark                      how far records were removed, and the caller's bytes
///         0000000000000001.tjl      a segment: header, snapshot, records 1, 2, …
///         0000000000000a3f.tjl      the active segment, which is appended to
///         spare-7.tjl               empty; becomes the next segment
///
/// All methods may be called on any thread. `append` waits for no thread that does more than one `write`, provided that
/// the owner calls `prepare()` off the caller's path often enough that a spare file is ready when a segment is full.
///
/// After a crash, at most the record that was being written is missing. Damage is stepped over, reported, and
/// never read as a record.
public final class Journal: Sendable {
    /// The random number that tells this life of the folder from every other one; together with a sequence it names a
    /// record for ever.
    public let epoch: UInt64

    let folder: String
    let options: JournalOptions
    let files: any FileSystem
    let key: FrameKey
    /// Of the key and the options, what every append asks for: copying the whole of them costs more than using it.
    let check: CRC32C
    let isPlain: Bool
    let overhead: Int
    let durability: JournalOptions.Durability
    let now: @Sendable () -> Int64
    /// Held for a change in memory or one `write`, never longer, but for a full segment without a spare file.
    let state: Locked<JournalState>
    /// What the opening left to be looked at when somebody asks for more than an append needs; nil once that is done.
    /// Taken before `state` and after `maintenance`.
    private let opening: Locked<JournalOpening?>
    /// Callers that wait until their records are on the medium.
    let commit: GroupCommit
    /// Held while the mark is written, files are deleted and the spare is made. Taken before `state`, never after it.
    /// Holds the names of files that are no longer needed and could not be deleted yet.
    let maintenance = Locked<[String]>([])
    /// Held during a purge. Taken before all other locks. What it holds says nothing; without a size it would lie where the lock
    /// does, and look like a race.
    let purging = Locked(false)

    /// Opens the journal in a folder, which is made when missing.
    ///
    /// Reads the last segment, whatever the backlog; the headers of the others are read by the first call that needs to
    /// know of them, which is never an append. Files are private to the user.
    /// - Throws: `.inUse` when another journal has the folder, `.newerFormat` when a newer version has used it,
    ///   `.otherKey` when it was encrypted with another key than that of the options,
    ///   `.unreadable` when the device is locked and it should be tried again later, or what the system reported.
    public static func open(
        _ folder: String, options: JournalOptions = JournalOptions()
    ) throws(JournalError) -> Journal {
        try open(folder, options: options, files: PosixFileSystem())
    }

    /// Opens a journal on other files than the machine's own.
    package static func open(
        _ folder: String, options: JournalOptions, files: any FileSystem
    ) throws(JournalError) -> Journal {
        var opening = JournalOpening(folder: folder, options: options, files: files)
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

    /// Gives the folder back; every later call but the counters and reports throws `.closed`. Again it does nothing.
    ///
    /// Records that somebody waits for until they are on the medium are brought there first.
    public func close() {
        commit.end()
        maintenance.withLock { _ in
            // Later the files may be somebody else's.
            opening.withLock { $0 = nil }
            let (spare, lock, active) = state.withLock { state in
                defer {
                    state.spare = nil
                    state.folderLock = nil
                }
                return (state.spare, state.folderLock, state.endSegment())
            }
            // A spare that stays behind is deleted at the next opening.
            if let spare { try? files.removeFile(path(spare.name)) }
            withExtendedLifetime(active) { lock?.release() }
        }
    }

    func path(_ name: String) -> String { folder + "/" + name }

    /// Looks at what the opening left; does nothing once that was done.
    func finishOpening() throws(JournalError) {
        try opening.withLock { opening throws(JournalError) in
            guard opening != nil, let segments = try opening?.finish() else { return }
            let reports = opening?.reports.take() ?? []
            opening = nil
            state.withLock { $0.found(segments, reports) }
        }
    }

    /// Nothing of the opening is left. False as well while somebody is at it, so nobody waits for that.
    var isOpeningFinished: Bool { opening.tryWithLock { $0 == nil } ?? false }
}

// MARK: - What there is

extension Journal {
    /// Records above the watermark; damaged ones count until a cursor finds them. Cheap after the first call.
    public var count: Int { finished { $0.recordCount } }

    /// Bytes of all segments on disk, removed records that share a segment with others included. Cheap after the first
    /// call.
    public var byteCount: Int { finished { $0.byteCount } }

    /// The lowest sequence that can be read; one more than `lastSequence` when there is none.
    public var firstSequence: UInt64 { finished { $0.firstReadable } }

    /// The highest sequence that was given to a record or reserved; 0 when there is none.
    public var lastSequence: UInt64 { state.withLock { $0.next - 1 } }

    /// The sequence through which records were removed; 0 when none were.
    public var watermark: UInt64 { state.withLock { $0.watermark } }

    /// The tag of the newest record that has one, removed records included.
    public var lastTag: JournalTag? { state.withLock { $0.lastTag } }

    /// The newest snapshot, removed records notwithstanding.
    public var snapshot: [UInt8]? { state.withLock { $0.snapshot }?.untaggedPayload }

    /// The bytes that were last given to `removeThrough`; empty when none were.
    public var markData: [UInt8] { state.withLock { $0.markData } }

    /// What `lastSequence`, `watermark`, `lastTag`, `markData` and `owesPurge` say at one moment.
    package var head: JournalHead {
        state.withLock { state in
            JournalHead(
                epoch: epoch, lastSequence: state.next - 1, watermark: state.watermark, lastTag: state.lastTag,
                mark: state.markData, owesPurge: state.owesPurge)
        }
    }

    /// Returns what happened since the last call, and forgets it. Counts of one kind are added up.
    public func takeReports() -> [JournalReport] { finished { $0.reports.take() } }

    /// What is so once everything was looked at. Where that is not possible now, the names of the files have to do.
    private func finished<Result>(_ body: (inout JournalState) -> Result) -> Result {
        try? finishOpening()
        return state.withLock(body)
    }
}
