/// Opens in two steps, so that a backlog costs nothing at the start. An append needs only the newest segment. The first
/// call that needs more reads the rest.
extension JournalOpening {
    /// The part for the second step.
    final class Rest {
        /// The files of older segments.
        let entries: [FolderEntry]
        let newest: KnownSegment
        let mark: Mark

        init(_ entries: [FolderEntry], _ newest: KnownSegment, _ mark: Mark) {
            (self.entries, self.newest, self.mark) = (entries, newest, mark)
        }
    }

    /// The first step: reads the newest segment. Nil when that segment alone does not say where writing goes on, or
    /// when it is the only one and there is no second step.
    func beginAtEnd(_ entries: [FolderEntry], _ mark: Mark, _ folderLock: FolderLock) -> JournalState? {
        guard let named = Self.ascending(entries), named.count > 1, let last = named.last else { return nil }
        let key = FrameKey(epoch: mark.epoch, cipher: options.cipher)
        guard let (known, scan, file) = readIntact(last, key) else { return nil }
        var segments = Self.placed(named) + [known]
        let newest = NewestSegment(index: segments.count - 1, file: file, scan: scan, header: known.header)
        rest = Rest(named.dropLast().map(\.entry), known, mark)
        let ending = conclude(&segments, newest, mark, key)
        return state(segments, newest, ending, mark, folderLock)
    }

    /// The second step: reads everything before the newest segment, and deletes files that it no longer needs.
    /// - Throws: the system's error. The call can be repeated.
    func finish() throws(JournalError) -> [Segment] {
        guard let rest else { return [] }
        reports = JournalReports()
        let key = FrameKey(epoch: rest.mark.epoch, cipher: options.cipher)
        var segments = try known(inspect(rest.entries), key: key, mark: rest.mark)
        // The header of a file may say that it belongs after the segment that was the newest by its name. Since then
        // its sequences may have been used again.
        for late in segments where late.segment.first >= rest.newest.segment.first {
            reports.add(.foreignFile(file: late.segment.name))
        }
        segments.removeAll { $0.segment.first >= rest.newest.segment.first }
        segments.append(rest.newest)
        leaveOutStrays(&segments)
        try link(&segments, rest.mark, key)
        removeConsumed(&segments, rest.mark)
        self.rest = nil
        return segments.dropLast().map(\.segment)
    }

    /// The segments by their names; nil when another file has the name of one.
    private static func ascending(_ entries: [FolderEntry]) -> [(first: UInt64, entry: FolderEntry)]? {
        var named: [(first: UInt64, entry: FolderEntry)] = []
        for entry in entries {
            guard let first = FileName.first(of: entry.name) else { continue }
            guard let size = entry.size, size > 0, (1...JournalLimits.sequence).contains(first) else { return nil }
            named.append((first, entry))
        }
        return named.sorted { $0.first < $1.first }
    }

    /// All segments except the last, as far as their names tell.
    private static func placed(_ named: [(first: UInt64, entry: FolderEntry)]) -> [KnownSegment] {
        zip(named, named.dropFirst()).map { item, following in
            let segment = Segment(
                first: item.first, end: following.first, name: item.entry.name, bytes: item.entry.size ?? 0,
                standing: .unverified)
            return KnownSegment(segment: segment)
        }
    }

    /// The newest segment, when every byte of it is correct, except for a torn tail.
    private func readIntact(
        _ named: (first: UInt64, entry: FolderEntry), _ key: FrameKey
    ) -> (KnownSegment, SegmentScan, OpenFile)? {
        let (name, size) = (named.entry.name, named.entry.size ?? 0)
        do {
            let file = try OpenFile(path(name), .update, in: files)
            let bytes = try file.read(at: 0, count: min(size, JournalLimits.headerBytes))
            guard case .valid(let header) = SegmentHeader.read(bytes), header.epoch == key.epoch,
                header.first == named.first, header.keyCheck == key.seal?.keyCheck
            else { return nil }
            let segment = Segment(
                first: header.first, end: header.first, name: name, bytes: size, standing: .ours,
                start: header.byteCount, storedAt: header.storedAt)
            let scan = try SegmentScan(file, key: key, segment: segment)
            guard !scan.isDamaged else { return nil }
            return (KnownSegment(segment: segment, header: header), scan, file)
        } catch {
            // Opening as a whole meets it again and can handle it.
            return nil
        }
    }
}
