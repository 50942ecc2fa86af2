/// The steps from a folder to the state of an open journal. A class, because the compiler would otherwise make 5 KB of code that
/// copies it.
///
/// Unchecked because one thread at a time uses it: first the thread that makes it, then a thread that holds the journal's lock.
final class JournalOpening: @unchecked Sendable {
    let folder: String
    let options: JournalOptions
    let files: any FileSystem

    var reports = JournalReports()
    /// False for a caller that only looks.
    var mayDelete = true
    /// The sequences of taken file names.
    var takenNames: Set<UInt64> = []
    private var spareNumber: UInt64 = 0
    /// The name of the mark's file.
    private var markName = FileName.mark
    /// The part that is left for later, because appending does not need it.
    var rest: Rest?

    init(folder: String, options: JournalOptions, files: any FileSystem) {
        self.folder = folder
        self.options = options
        self.files = files
    }

    func run() throws(JournalError) -> JournalState {
        try files.makeFolder(folder)
        // When the name of a folder is lost, everything in it is lost. This is done at each opening, because the
        // process that created the folder may not have waited for it.
        if options.durability.survivesPowerLoss { try files.syncFolders(above: folder) }
        let folderLock = try FolderLock(folder, options, in: files)
        let entries = try files.listFolder(folder)
        removeSpares(entries)
        let storedMark = try readMark()
        if let storedMark, let state = beginAtEnd(entries, storedMark, folderLock) { return state }
        return try runWhole(entries, storedMark, folderLock)
    }

    /// Opens with the beginnings of all segments. This handles every state of a folder.
    private func runWhole(
        _ entries: [FolderEntry], _ storedMark: Mark?, _ folderLock: FolderLock
    ) throws(JournalError) -> JournalState {
        let found = try inspect(entries)
        let epoch = storedMark?.epoch ?? Self.newestEpoch(found) ?? options.makeEpoch()
        var segments = try known(found, key: FrameKey(epoch: epoch, cipher: options.cipher), mark: storedMark)
        leaveOutStrays(&segments)
        let mark = try establish(storedMark, epoch, segments)
        let key = FrameKey(epoch: mark.epoch, cipher: options.cipher)
        try link(&segments, mark, key)

        let newest = try NewestSegment(of: segments, key: key, removed: mark.watermark, in: self)
        let ending = conclude(&segments, newest, mark, key)
        removeConsumed(&segments, mark)
        return state(segments, newest, ending, mark, folderLock)
    }

    func state(
        _ segments: [KnownSegment], _ newest: NewestSegment?, _ ending: Ending, _ mark: Mark, _ folderLock: FolderLock
    ) -> JournalState {
        JournalState(
            mark: mark, markName: markName, options: options, segments: segments.map(\.segment),
            activeFile: ending.activeFile, next: ending.next,
            snapshot: newest?.snapshot.map { bytes in bytes.withUnsafeBytes { Frame(.snapshot, payload: $0) } },
            lastTag: newest?.lastTag, takenNames: takenNames, spareNumber: spareNumber, reports: reports,
            folderLock: folderLock)
    }

    func path(_ name: String) -> String { folder + "/" + name }

    /// Deletes the spare files of an owner that has died. A file with such a name is always empty.
    private func removeSpares(_ entries: [FolderEntry]) {
        for entry in entries {
            guard let number = FileName.spareNumber(of: entry.name) else { continue }
            spareNumber = max(spareNumber, number)
            // A file that cannot be deleted now does no harm: later numbers are higher.
            if entry.size == 0 { try? files.removeFile(path(entry.name)) }
        }
    }
}

// MARK: - The mark

extension JournalOpening {
    private func readMark() throws(JournalError) -> Mark? {
        guard let stored = try Mark.read(from: folder, files) else { return nil }
        markName = stored.name
        switch stored.reading {
        case .valid(let mark):
            return mark
        case .newer:
            throw JournalError(.newerFormat, "a newer version has used the folder")
        case .damaged:
            reports.add(.damagedMark)
            return nil
        }
    }

    /// The mark that holds from now on. It is on disk before the first record.
    private func establish(
        _ stored: Mark?, _ epoch: UInt64, _ segments: [KnownSegment]
    ) throws(JournalError) -> Mark {
        if let stored, !segments.isEmpty { return stored }
        var mark = Mark(epoch: epoch, watermark: 0, data: [])
        if let first = segments.first {
            reports.add(.damagedMark)
            mark.watermark = first.segment.first - 1
        } else if let stored {
            // Without segments it is unknown which sequences were used, so another epoch begins.
            mark = Mark(epoch: options.makeEpoch(), watermark: stored.watermark, data: stored.data)
            if stored.watermark > 0 { reports.add(.missingSegments(records: 0)) }
        }
        markName = try mark.write(in: folder, over: markName, options.durability, files)
        return mark
    }
}

// MARK: - The end of the journal

extension JournalOpening {
    /// The place where writing goes on.
    struct Ending {
        /// Nil when the next record needs a new segment.
        let activeFile: OpenFile?
        /// The next sequence.
        let next: UInt64
    }

    /// Finds the place where writing goes on: after the last record of the last segment, if that segment can be
    /// trusted.
    func conclude(
        _ segments: inout [KnownSegment], _ newest: NewestSegment?, _ mark: Mark, _ key: FrameKey
    ) -> Ending {
        var activeFile: OpenFile?
        if let newest, newest.index == segments.count - 1 {
            activeFile = hasCut(&segments, newest) ? newest.file : settle(&segments[newest.index], newest)
            // No record is added to a segment with a damaged header.
            if segments.last?.header == nil { activeFile = nil }
            // A segment is plain or sealed as a whole, so a change needs a new one.
            if segments.last?.header?.keyCheck != key.seal?.keyCheck { activeFile = nil }
        }
        var next = mark.watermark + 1
        for known in segments { next = max(next, known.segment.end) }
        // After a power cut the mark can be ahead of the records. Then the next record needs a new segment.
        if next != segments.last?.segment.end { activeFile = nil }
        return Ending(activeFile: activeFile, next: next)
    }

    /// Removes the records after the first gap of the last segment when all of them will be appended again. False when
    /// they stay.
    private func hasCut(_ segments: inout [KnownSegment], _ newest: NewestSegment) -> Bool {
        let known = segments[newest.index]
        guard let gap = newest.scan.gap, gap.comesAgain, known.isNamedByFirst else { return false }
        // A file with neither a header nor a record would count as a foreign file.
        let isBlank = known.header == nil && gap.frameEnd == known.segment.start
        let size = isBlank ? 0 : gap.frameEnd
        guard (try? newest.file.truncate(to: size)) != nil else { return false }
        reports.add(.tornTail(bytes: known.segment.bytes - size))
        segments[newest.index].segment.bytes = size
        segments[newest.index].segment.end = gap.next
        segments[newest.index].segment.lossesReportedBelow = gap.next
        return true
    }

    /// Cuts the tail of the last segment. Returns its file if more can be written to it.
    private func settle(_ known: inout KnownSegment, _ newest: NewestSegment) -> OpenFile? {
        let scan = newest.scan
        var (records, bytes) = (scan.lostRecords, scan.lostBytes)
        known.segment.end = scan.next
        if scan.tailBytes > 0 {
            if scan.isTorn {
                reports.add(.tornTail(bytes: scan.tailBytes))
            } else {
                // No interrupted write leaves this: a record was there, and its sequence stays used.
                known.segment.end += 1
                records += 1
                bytes += scan.tailBytes
            }
        }
        if records > 0 || bytes > 0 {
            reports.add(.damagedRecords(records: Int(clamping: records), bytes: bytes))
        }
        known.segment.lossesReportedBelow = known.segment.end
        guard known.header != nil, known.isNamedByFirst else { return nil }
        do {
            if scan.tailBytes > 0 { try newest.file.truncate(to: scan.frameEnd) }
            known.segment.bytes = scan.frameEnd
            return newest.file
        } catch {
            // The file stays as it is, and the next record goes to a new segment.
            return nil
        }
    }

    /// Deletes segments that were removed before and are still there, because their deletion failed or was interrupted.
    func removeConsumed(_ segments: inout [KnownSegment], _ mark: Mark) {
        let newest = segments.last { $0.segment.standing == .ours }?.segment.first
        segments.removeAll { known in
            let segment = known.segment
            guard segment.standing == .ours, segment.first != newest, segment.end <= mark.watermark + 1 else {
                return false
            }
            // A segment that cannot be deleted now stays in the list, so it is tried again.
            return (try? files.removeFile(path(segment.name))) != nil
        }
    }
}
