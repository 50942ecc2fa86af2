/// The size of a journal in a folder, as far as it is visible without owning the folder.
public struct JournalSurvey: Sendable, Hashable {
    /// The bytes of all segments.
    public var bytes = 0
    /// The records that were not removed, damaged ones included.
    public var records = 0
    /// The earliest time when the oldest record can have been stored, in milliseconds since 1970; nil when there are no
    /// records or the time is unknown.
    public var oldest: Int64?
}

extension Journal {
    /// Inspects a folder without opening a journal there, for a caller that bounds several journals together.
    ///
    /// This locks and changes nothing. The owner may work meanwhile, so the figures are approximate. It reads the
    /// headers and the last segment.
    /// - Throws: the system's error. A missing folder has no records.
    public static func survey(_ folder: String) throws(JournalError) -> JournalSurvey {
        try survey(folder, files: PosixFileSystem())
    }

    /// Inspects a folder in another file system.
    package static func survey(_ folder: String, files: any FileSystem) throws(JournalError) -> JournalSurvey {
        do {
            let opening = JournalOpening(folder: folder, options: JournalOptions(), files: files)
            opening.mayDelete = false
            return try opening.survey()
        } catch let error where error.reason == .missing {
            return JournalSurvey()
        }
    }
}

extension JournalOpening {
    /// The steps of an opening that change nothing.
    fileprivate func survey() throws(JournalError) -> JournalSurvey {
        let found = try inspect(files.listFolder(folder))
        let mark = try Mark.read(from: folder, files)?.mark
        guard let epoch = mark?.epoch ?? Self.newestEpoch(found) else { return JournalSurvey() }
        let segments = try known(found, key: FrameKey(epoch: epoch), mark: mark)
        var survey = JournalSurvey()
        for (index, known) in segments.enumerated() where known.segment.standing != .newer {
            survey.bytes += known.segment.bytes
            let isLast = index == segments.count - 1
            let end = try isLast ? self.end(of: known, epoch) : segments[index + 1].segment.first
            let from = max(known.segment.first, (mark?.watermark ?? 0) + 1)
            guard end > from else { continue }
            survey.records += Int(clamping: end - from)
            if survey.oldest == nil, known.segment.storedAt > 0 { survey.oldest = known.segment.storedAt * 1000 }
        }
        return survey
    }

    private func end(of known: KnownSegment, _ epoch: UInt64) throws(JournalError) -> UInt64 {
        guard known.segment.standing == .ours else { return known.segment.first }
        do {
            let file = try OpenFile(path(known.segment.name), .read, in: files)
            return try SegmentScan(file, key: FrameKey(epoch: epoch), segment: known.segment).next
        } catch let error where error.reason == .missing {
            // The owner has removed the file meanwhile.
            return known.segment.first
        }
    }
}
