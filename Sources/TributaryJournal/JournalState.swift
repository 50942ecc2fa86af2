/// The state of a journal in memory. It only changes under the journal's lock.
struct JournalState: Sendable {
    /// An empty file that will become a segment.
    struct Spare: Sendable {
        let name: String
        let file: OpenFile
    }

    /// The place for the next frames.
    enum Placement {
        case active(OpenFile, offset: Int)
        case newSegment(SegmentHeader)
    }

    let epoch: UInt64
    /// In ascending order. The last one is the active one while `activeFile` is set.
    private(set) var segments: [Segment]
    private(set) var activeFile: OpenFile?
    /// The sequence of the next data record.
    private(set) var next: UInt64
    private(set) var watermark: UInt64
    private(set) var markData: [UInt8]
    /// The name of the mark's file.
    var markName: String
    /// Whether a purge could not be stored: the mark on disk is behind the watermark, and files are still there.
    var owesPurge = false
    /// Whether records were dropped and their mark could not be stored: the mark on disk is behind the watermark.
    var owesMark = false
    /// The newest snapshot as a frame, for the beginning of a new segment.
    private(set) var snapshot: Frame?
    private(set) var lastTag: JournalTag?
    /// The bytes of the journal's segments on disk.
    private(set) var byteCount: Int
    /// The sequences in names of segments that files of others have.
    let takenNames: Set<UInt64>
    /// The number of writes, for callers that wait until their write is on the medium.
    private(set) var written: UInt64 = 0
    /// Whether the names of the journal's folder and of those above it are on the medium.
    private(set) var isNamed: Bool
    /// Segments that were ended since the last `sync()`.
    private(set) var unsynced: Set<UInt64> = []
    /// The limits.
    private(set) var bounds: JournalBounds
    private var limits: SegmentLimits
    private let segmentBytes: Int
    /// How often the limits dropped segments.
    private(set) var drops = 0
    /// The records that the reader has taken, so that nothing is lost when they leave, and those in use, which are not
    /// dropped.
    private(set) var claims = ReaderClaims()
    /// Records that a purge removed and that count as deleted.
    private var deleted = 0
    var spare: Spare?
    var spareNumber: UInt64
    var reports: JournalReports
    /// Nil when the journal is closed.
    var folderLock: FolderLock?

    init(
        mark: Mark, markName: String, options: JournalOptions, segments: [Segment], activeFile: OpenFile?,
        next: UInt64, snapshot: Frame?, lastTag: JournalTag?,
        takenNames: Set<UInt64>, spareNumber: UInt64, reports: JournalReports, folderLock: FolderLock
    ) {
        epoch = mark.epoch
        watermark = mark.watermark
        markData = mark.data
        self.markName = markName
        byteCount = segments.reduce(0) { $0 + ($1.standing == .newer ? 0 : $1.bytes) }
        isNamed = options.durability.survivesPowerLoss
        bounds = options.bounds
        segmentBytes = options.segmentBytes
        limits = SegmentLimits(bounds, segmentBytes: segmentBytes)
        self.segments = segments
        self.activeFile = activeFile
        self.next = next
        self.snapshot = snapshot
        self.lastTag = lastTag
        self.takenNames = takenNames
        self.spareNumber = spareNumber
        self.reports = reports
        self.folderLock = folderLock
    }

    var isClosed: Bool { folderLock == nil }

    /// The mark that should be on disk.
    var mark: Mark { Mark(epoch: epoch, watermark: watermark, data: markData) }

    mutating func setBounds(_ bounds: JournalBounds) {
        self.bounds = bounds
        limits = SegmentLimits(bounds, segmentBytes: segmentBytes)
    }

    /// A number that no spare file of this opening has.
    mutating func takeSpareNumber() -> UInt64 {
        spareNumber += 1
        return spareNumber
    }

    func checkOpen() throws(JournalError) {
        if isClosed { throw .closed }
    }
}

// MARK: - Opening

extension JournalState {
    /// Takes the facts about the segments before the newest segment of the opening. Until then only their names
    /// were known, and nothing was done to them.
    mutating func found(_ older: [Segment], _ new: [JournalReport]) {
        let unread = segments.prefix { $0.standing == .unverified }
        segments.replaceSubrange(..<unread.endIndex, with: older)
        byteCount = segments.reduce(0) { $0 + ($1.standing == .newer ? 0 : $1.bytes) }
        for report in new { reports.add(report) }
    }
}

// MARK: - Counting

extension JournalState {
    /// The lowest sequence that can be read; `next` when there is none.
    var firstReadable: UInt64 {
        for segment in segments where segment.standing != .newer && segment.end > watermark + 1 {
            return max(segment.first, watermark + 1)
        }
        return next
    }

    /// The number of records above the watermark. Damaged ones count until a reader finds them.
    var recordCount: Int { recordCount(after: 0) }

    /// The number of records above the watermark and after a sequence.
    func recordCount(after sequence: UInt64) -> Int {
        let place = max(watermark, sequence)
        return Int(clamping: segments.reduce(0) { $0 + recordCount(of: $1, after: place) })
    }

    /// Records of that segment above the watermark.
    func recordCount(of segment: Segment) -> UInt64 { recordCount(of: segment, after: watermark) }

    /// Records of a segment that the reader has not taken.
    func untakenCount(of segment: Segment) -> Int {
        Int(clamping: recordCount(of: segment, after: max(watermark, claims.taken)))
    }

    private func recordCount(of segment: Segment, after sequence: UInt64) -> UInt64 {
        guard segment.standing != .newer else { return 0 }
        let first = max(segment.first, sequence + 1)
        return segment.end > first ? segment.end - first : 0
    }
}

// MARK: - Taking

extension JournalState {
    /// Takes note that the reader has taken the records up to a sequence.
    mutating func take(through sequence: UInt64) {
        claims.take(through: min(sequence, JournalLimits.sequence))
    }

    /// Protects records up to a sequence, 0 for none. Earlier records are no longer in use.
    mutating func hold(through sequence: UInt64) {
        let losses = claims.hold(through: sequence)
        deleted += losses[.deleted, default: 0]
        if let missing = losses[.missing] { reports.add(.missingSegments(records: missing)) }
    }

    /// The records of a segment up to a sequence leave the journal.
    /// - Returns: how many of them are losses now.
    private mutating func leave(
        _ segment: Segment, through sequence: UInt64 = .max, _ departure: Departure
    ) -> Int {
        guard segment.standing != .newer, segment.end > 0 else { return 0 }
        return claims.leave(
            from: max(segment.first, watermark + 1), through: min(segment.end - 1, sequence), departure)
    }

    /// Returns the claims, and forgets open claims.
    mutating func takeClaims() -> ReaderClaims {
        defer { _ = claims.hold(through: claims.held) }
        return claims
    }

    /// Returns and forgets the number of records that purges removed before the reader had taken them.
    mutating func takeDeleted() -> Int {
        defer { deleted = 0 }
        return deleted
    }
}

// MARK: - Appending

extension JournalState {
    /// The place for that many bytes at that time, in seconds since 1970.
    func placement(of count: Int, now: Int64) -> Placement {
        if let activeFile, let active = segments.last, limits.allow(count, in: active, now: now) {
            return .active(activeFile, offset: active.bytes)
        }
        return .newSegment(header(from: next))
    }

    /// Whether the active segment has its header and the newest snapshot, and nothing else.
    /// - Parameter overhead: the bytes that a cipher adds to a frame.
    func isActiveSegmentBlank(overhead: Int) -> Bool {
        guard activeFile != nil, let active = segments.last, active.end == active.first else { return false }
        return active.bytes == active.start + (snapshot.map { $0.bytes.count + overhead } ?? 0)
    }

    /// The active segment and its room; nil when there is none.
    func room(now: Int64) -> (OpenFile, SegmentRoom)? {
        guard let activeFile, let active = segments.last else { return nil }
        return (activeFile, limits.room(in: active, now: now))
    }

    /// The header of a segment that begins with that sequence, or with a later one if its name is taken.
    func header(from sequence: UInt64) -> SegmentHeader {
        var first = sequence
        // A segment is named by its first sequence, so a taken name costs a sequence. A foreign file has it, or a
        // segment that contains only snapshots.
        while takenNames.contains(first) || first == segments.last?.first { first += 1 }
        let end = segments.last?.end ?? watermark + 1
        return SegmentHeader(
            epoch: epoch, first: first, previous: segments.last?.first ?? 0, lastTag: lastTag,
            followsGap: first != end)
    }

    /// Takes note of frames that were written to the active segment.
    mutating func appended(_ entry: Entry, bytes: Int) {
        segments[segments.count - 1].bytes += bytes
        byteCount += bytes
        note(entry)
    }

    /// Takes note of records that were written together to the active segment.
    mutating func appended(records: Int, tag: JournalTag?, bytes: Int) {
        segments[segments.count - 1].bytes += bytes
        byteCount += bytes
        written += 1
        if let tag { lastTag = tag }
        next += UInt64(records)
        segments[segments.count - 1].end = next
    }

    /// Takes note of a new segment. Returns the file of the last segment, to be closed outside of the lock.
    mutating func began(_ header: SegmentHeader, _ file: OpenFile, with entry: Entry, bytes: Int) -> OpenFile? {
        defer { activeFile = file }
        if activeFile != nil, let last = segments.last { unsynced.insert(last.first) }
        segments.append(
            Segment(
                first: header.first, end: header.first, name: FileName.segment(header.first), bytes: bytes,
                standing: .ours, start: header.byteCount, storedAt: header.storedAt))
        byteCount += bytes
        next = header.first
        note(entry)
        return activeFile
    }

    private mutating func note(_ entry: Entry) {
        written += 1
        if let frame = entry.snapshot { snapshot = frame }
        guard entry.data != nil else { return }
        if let tag = entry.tag { lastTag = tag }
        next += 1
        segments[segments.count - 1].end = next
    }

    /// Ends the active segment, because its file can no longer be trusted. Returns the file.
    mutating func endSegment() -> OpenFile? {
        defer { activeFile = nil }
        if activeFile != nil, let last = segments.last { unsynced.insert(last.first) }
        return activeFile
    }

    mutating func synced(_ names: Set<UInt64>) {
        unsynced.subtract(names)
        isNamed = true
    }
}

// MARK: - Reading

extension JournalState {
    /// A segment, for a cursor.
    struct View {
        let segment: Segment
        /// The file, if it is already open.
        let file: OpenFile?
        var isGrowing: Bool { file != nil }
    }

    /// The first segment that holds that sequence or a later one.
    func view(holding sequence: UInt64) -> View? {
        guard let index = segments.firstIndex(where: { $0.standing != .newer && $0.end > sequence }) else { return nil }
        return view(at: index)
    }

    /// Whether a record with that sequence can still be read.
    func contains(_ sequence: UInt64) -> Bool {
        guard sequence > watermark, let segment = view(holding: sequence)?.segment else { return false }
        return segment.first <= sequence
    }

    /// The segment that begins with that sequence, if it is still there.
    func view(beginning first: UInt64) -> View? {
        index(of: first).map(view(at:))
    }

    private func view(at index: Int) -> View {
        View(segment: segments[index], file: index == segments.count - 1 ? activeFile : nil)
    }

    /// Reports what a reader missed in a segment before `sequence`, unless it was already reported.
    mutating func lost(_ records: UInt64, bytes: Int, in first: UInt64, before sequence: UInt64) {
        guard let index = index(of: first), segments[index].lossesReportedBelow < sequence else { return }
        segments[index].lossesReportedBelow = sequence
        reports.add(.damagedRecords(records: Int(clamping: records), bytes: bytes))
    }

    /// Takes note of what a reader found out about a segment that could not be read before.
    mutating func verified(_ first: UInt64, as standing: Segment.Standing, start: Int?) {
        guard let index = index(of: first) else { return }
        if standing == .newer && segments[index].standing != .newer { byteCount -= segments[index].bytes }
        segments[index].standing = standing
        if let start { segments[index].start = start }
    }

    /// Forgets a segment that lost its file.
    mutating func vanished(_ first: UInt64) {
        guard let index = index(of: first) else { return }
        let losses = leave(segments[index], .missing)
        reports.add(.missingSegments(records: losses))
        if segments[index].standing != .newer { byteCount -= segments[index].bytes }
        unsynced.remove(first)
        segments.remove(at: index)
    }

    /// Searches from the end, because readers of the newest records search most often.
    private func index(of first: UInt64) -> Int? { segments.lastIndex { $0.first == first } }
}

// MARK: - Removing

extension JournalState {
    /// Takes note that this mark is on disk. Returns the names of the files that are no longer needed.
    mutating func marked(_ mark: Mark) -> [String] {
        rise(to: mark.watermark)
        markData = mark.data
        let needless = needlessSegments
        return needless.isEmpty ? [] : forget { needless.contains($0.first) }
    }

    /// Takes note that records up to that one must not be read any more, although the mark on disk does not say so yet.
    mutating func gaveUp(through sequence: UInt64) {
        rise(to: min(sequence, next - 1))
        owesPurge = true
    }

    /// A reader takes records before it removes them, so a purge removes the others.
    private mutating func rise(to sequence: UInt64) {
        guard sequence > watermark else { return }
        for segment in segments where segment.first <= sequence {
            let losses = leave(segment, through: sequence, .deleted)
            deleted += losses
        }
        watermark = sequence
    }

    /// The journal's segments without records, if there are none with records before them. The newest one stays.
    private var needlessSegments: Set<UInt64> {
        var firsts: Set<UInt64> = []
        for segment in segments.dropLast() where segment.standing == .ours {
            guard recordCount(of: segment) == 0, segment.first != newestOfOurs else { break }
            firsts.insert(segment.first)
        }
        return firsts
    }

    mutating func countDrop() { drops += 1 }

    /// Removes the matching segments of the journal from the list. Returns the names of their files.
    mutating func forget(_ isNeedless: (Segment) -> Bool) -> [String] {
        var names: [String] = []
        segments.removeAll { segment in
            guard segment.standing == .ours, isNeedless(segment) else { return false }
            names.append(segment.name)
            byteCount -= segment.bytes
            unsynced.remove(segment.first)
            return true
        }
        return names
    }

    /// The first sequence of the segment that always stays: it has the snapshot and is written to.
    var newestOfOurs: UInt64? {
        segments.last { $0.standing == .ours }?.first
    }
}
