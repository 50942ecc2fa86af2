extension JournalOpening {
    /// A file with the name of a segment, and its beginning.
    struct FoundFile {
        let name: String
        /// The first sequence according to the name.
        let number: UInt64
        let size: Int
        let beginning: Beginning

        enum Beginning {
            case header(SegmentHeader.Reading)
            case unreadable(JournalError)
        }
    }

    /// A segment of this journal, with facts that only the opening needs.
    struct KnownSegment {
        var segment: Segment
        /// Nil when it is damaged, or when this version cannot read it.
        var header: SegmentHeader?
        /// The error when it could not be read.
        var failure: JournalError?

        var isNamedByFirst: Bool { segment.name == FileName.segment(segment.first) }
    }

    /// The files that may be segments, with their beginnings.
    func inspect(_ entries: [FolderEntry]) throws(JournalError) -> [FoundFile] {
        var found: [FoundFile] = []
        for entry in entries {
            guard let number = FileName.first(of: entry.name) else { continue }
            guard let size = entry.size, (1...JournalLimits.sequence).contains(number) else {
                leaveAlone(entry.name, number)
                continue
            }
            do {
                let file = try OpenFile(path(entry.name), .read, in: files)
                let bytes = try file.read(at: 0, count: min(size, JournalLimits.headerBytes))
                let beginning = FoundFile.Beginning.header(SegmentHeader.read(bytes))
                found.append(FoundFile(name: entry.name, number: number, size: size, beginning: beginning))
            } catch let error where error.reason == .missing {
                // The file was removed after the folder was listed.
                continue
            } catch let error where error.reason == .unreadable || error.reason == .inputOutput {
                found.append(FoundFile(name: entry.name, number: number, size: size, beginning: .unreadable(error)))
            }
        }
        return found
    }

    /// The epoch of the newest segment with a readable header.
    static func newestEpoch(_ found: [FoundFile]) -> UInt64? {
        var newest: (first: UInt64, epoch: UInt64)?
        for file in found {
            guard case .header(.valid(let header)) = file.beginning, header.first >= newest?.first ?? 0 else {
                continue
            }
            newest = (header.first, header.epoch)
        }
        return newest?.epoch
    }

    /// The segments of this journal in ascending order, without their ends.
    /// - Parameter mark: nil when it cannot be read.
    func known(
        _ found: [FoundFile], key: FrameKey, mark: Mark?
    ) throws(JournalError) -> [KnownSegment] {
        var segments: [KnownSegment] = []
        for file in found {
            guard let known = try classify(file, key) else { continue }
            if !known.isNamedByFirst || known.segment.standing == .newer { takenNames.insert(file.number) }
            segments.append(known)
        }
        var distinct: [KnownSegment] = []
        for copies in Dictionary(grouping: segments, by: \.segment.first).sorted(by: { $0.key < $1.key }).map(\.value) {
            let best = try best(of: copies, key, removed: mark?.watermark ?? 0)
            distinct.append(best)
            for copy in copies where copy.segment.name != best.segment.name {
                reports.add(.foreignFile(file: copy.segment.name))
            }
        }
        return distinct
    }

    /// Chooses among files that claim to be the same segment. The file that the journal wrote under its name wins, if
    /// it holds a record that was not removed. Otherwise the file with the highest last sequence and the fewest losses
    /// wins. The choice is the same each time, even when a file without records was deleted. The others are left alone.
    private func best(
        of copies: [KnownSegment], _ key: FrameKey, removed: UInt64
    ) throws(JournalError) -> KnownSegment {
        var best = copies[0]
        guard copies.count > 1 else { return best }
        var worth: (Int, UInt64, Int64, String)?
        for copy in copies {
            let isInPlace = copy.isNamedByFirst && copy.header != nil
            var candidate = (isInPlace ? 1 : 0, UInt64(0), Int64.min, copy.segment.name)
            if copy.segment.standing == .ours {
                let file = try OpenFile(path(copy.segment.name), .read, in: files)
                let scan = try SegmentScan(file, key: key, segment: copy.segment)
                (candidate.1, candidate.2) = (scan.next, -Int64(clamping: scan.lostRecords))
                if scan.next <= max(copy.segment.first, removed + 1) { candidate.0 = 0 }
            }
            guard worth.map({ candidate > $0 }) ?? true else { continue }
            (best, worth) = (copy, candidate)
        }
        return best
    }

    /// Leaves out files under another name that do not belong where their header says. The next segment was begun when
    /// an older one was the newest. So such a file was not there then, and its sequences were used again since.
    func leaveOutStrays(_ segments: inout [KnownSegment]) {
        for index in segments.indices.dropLast().reversed() {
            let known = segments[index]
            guard !known.isNamedByFirst, let following = segments[index + 1].header,
                following.previous < known.segment.first
            else { continue }
            reports.add(.foreignFile(file: known.segment.name))
            segments.remove(at: index)
        }
    }

    private func classify(_ file: FoundFile, _ key: FrameKey) throws(JournalError) -> KnownSegment? {
        func segment(_ first: UInt64, _ standing: Segment.Standing, _ header: SegmentHeader? = nil) -> Segment {
            // Used until the next segment's first sequence is known. No record is smaller than a byte, in any version.
            Segment(
                first: first, end: first + UInt64(file.size), name: file.name, bytes: file.size, standing: standing,
                start: header?.byteCount ?? SegmentHeader.size, storedAt: header?.storedAt ?? 0)
        }
        switch file.beginning {
        case .header(.valid(let header)) where header.epoch == key.epoch:
            guard try isOfThisKey(header, key, file.name) else {
                leaveAlone(file.name, file.number)
                return nil
            }
            return KnownSegment(segment: segment(header.first, .ours, header), header: header)
        case .header(.newer(key.epoch, let first)):
            reports.add(.newerFormat(file: file.name))
            return KnownSegment(segment: segment(first, .newer))
        case .header(.valid), .header(.newer):
            leaveAlone(file.name, file.number)
        case .unreadable(let error):
            reports.add(.unreadable(file: file.name, errno: error.errno))
            return KnownSegment(segment: segment(file.number, .unverified), failure: error)
        case .header(.damaged):
            if try isGenuine(file, key) {
                reports.add(.damagedHeader(file: file.name))
                return KnownSegment(segment: segment(file.number, .ours))
            }
            let isRemoved = mayDelete ? try removeBlank(file) : false
            if !isRemoved { leaveAlone(file.name, file.number) }
        }
        return nil
    }

    private func leaveAlone(_ name: String, _ number: UInt64) {
        takenNames.insert(number)
        reports.add(.foreignFile(file: name))
    }

    /// Whether a file has this key. A folder with another key is refused as a whole. When the folder is already in use,
    /// the file can only be a foreign one. A caller that only looks needs no key.
    private func isOfThisKey(
        _ header: SegmentHeader, _ key: FrameKey, _ name: String
    ) throws(JournalError) -> Bool {
        guard mayDelete, let check = header.keyCheck, check != key.seal?.keyCheck else { return true }
        guard rest == nil else { return false }
        throw JournalError(.otherKey, "\(name) was encrypted with another key")
    }

    /// A file without a header belongs to the journal if it has a frame with the journal's epoch.
    private func isGenuine(_ file: FoundFile, _ key: FrameKey) throws(JournalError) -> Bool {
        let handle = try OpenFile(path(file.name), .read, in: files)
        let segment = Segment(
            first: file.number, end: file.number, name: file.name, bytes: file.size, standing: .ours)
        let scan = try SegmentScan(handle, key: key, segment: segment)
        if mayDelete && scan.isOfOtherKey {
            guard rest == nil else { return false }
            throw JournalError(.otherKey, "\(file.name) was encrypted with another key")
        }
        return scan.isGenuine
    }

    /// Deletes a segment that has its name but not its bytes, because the machine stopped: it is empty, or has only
    /// zeros, or only a part of a header. False when the file is something else.
    private func removeBlank(_ file: FoundFile) throws(JournalError) -> Bool {
        let handle = try OpenFile(path(file.name), .read, in: files)
        var offset = 0
        while offset < file.size {
            let bytes = try handle.read(at: offset, count: min(file.size - offset, JournalLimits.readBytes))
            let isTornHeader =
                file.size < SegmentHeader.announcedSize(bytes)
                && bytes.prefix(SegmentHeader.magic.count) == SegmentHeader.magic.prefix(bytes.count)
            guard isTornHeader || bytes.allSatisfy({ $0 == 0 }) else { return false }
            guard !bytes.isEmpty else { break }
            offset += bytes.count
        }
        if file.size > 0 { reports.add(.tornTail(bytes: file.size)) }
        // A file that stays blocks only one sequence.
        if (try? files.removeFile(path(file.name))) == nil { takenNames.insert(file.number) }
        return true
    }
}

// MARK: - The order of segments

extension JournalOpening {
    /// Finds the end of every segment except the last, and the losses between them.
    func link(_ segments: inout [KnownSegment], _ mark: Mark, _ key: FrameKey) throws(JournalError) {
        if let first = segments.first, first.header?.followsGap != true {
            reportMissing(from: mark.watermark + 1, to: first.segment.first)
        }
        for index in segments.indices.dropLast() {
            let (known, following) = (segments[index], segments[index + 1])
            segments[index].segment.end = following.segment.first
            guard known.segment.standing == .ours, let header = following.header else { continue }
            let isNeighbour = header.previous == known.segment.first
            if isNeighbour && !header.followsGap { continue }
            let file = try OpenFile(path(known.segment.name), .read, in: files)
            let scan = try SegmentScan(
                file, key: key, segment: known.segment, limit: following.segment.first)
            segments[index].segment.end = scan.next
            // A power cut may bring an older segment back without the removed one after it. Then the end of the removed
            // one is unknown, and the gap never had a record.
            let wasRemoved = header.followsGap && header.previous <= mark.watermark
            if !isNeighbour && !wasRemoved {
                reportMissing(from: max(scan.next, mark.watermark + 1), to: following.segment.first)
            }
        }
    }

    private func reportMissing(from: UInt64, to end: UInt64) {
        if end > from { reports.add(.missingSegments(records: Int(clamping: end - from))) }
    }
}
