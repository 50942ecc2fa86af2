/// The content of a journal's folder, as far as it can be seen without owning the folder.
public struct JournalSurvey: Sendable, Hashable {
    /// Bytes of all segments.
    public var bytes = 0
    /// Records that were not removed, damaged ones included.
    public var records = 0
    /// When the oldest of them can have been stored at the earliest, in milliseconds since 1970; nil when there are
    /// none or it is not known.
    public var oldest: Int64?
}

extension Journal {
    /// Inspects a folder without opening a journal there, for a caller that bounds several journals together.
    ///
    /// It locks and changes nothing. The owner may work meanwhile, so the figures are approximate. Reads the headers
    /// and the last segment.
    /// - Throws: what the system reported. A folder that is not there has nothing in it.
    public static func survey(_ folder: String) throws(JournalError) -> JournalSurvey {
        try survey(folder, files: PosixFileSystem())
    }

    /// Looks at a folder on other files than the machine's own.
    package static func survey(_ folder: String, files: any FileSystem) throws(JournalError) -> JournalSurvey {
        do {
            var opening = JournalOpening(folder: folder, options: JournalOptions(), files: files)
            opening.mayDelete = false
            return try opening.survey()
        } catch let error where error.reason == .missing {
            return JournalSurvey()
        }
    }
}

extension JournalOpening {
    /// The steps of an opening that change nothing.
    fileprivate mutating func survey() throws(JournalError) -> JournalSurvey {
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
            // Its owner has removed it meanwhile.
            return known.segment.first
        }
    }
}
