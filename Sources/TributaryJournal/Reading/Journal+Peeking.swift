extension Journal {
    /// The newest snapshot in a folder, without opening a journal there; nil when there is none, or none that this key
    /// can decrypt.
    ///
    /// This locks and changes nothing, and the owner may work meanwhile. Usually it reads the newest segment.
    /// - Throws: the system's error. A missing folder has no snapshot.
    package static func newestSnapshot(
        in folder: String, options: JournalOptions, files: any FileSystem
    ) throws(JournalError) -> [UInt8]? {
        do {
            let opening = JournalOpening(folder: folder, options: options, files: files)
            opening.mayDelete = false
            return try opening.newestSnapshot()
        } catch let error where error.reason == .missing {
            return nil
        }
    }
}

extension JournalOpening {
    fileprivate func newestSnapshot() throws(JournalError) -> [UInt8]? {
        guard let mark = try Mark.read(from: folder, files)?.mark else { return nil }
        let key = FrameKey(epoch: mark.epoch, cipher: options.cipher)
        let entries = try files.listFolder(folder).filter { FileName.first(of: $0.name) != nil }
        for entry in entries.sorted(by: { $0.name > $1.name }) {
            for known in try known(inspect([entry]), key: key, mark: mark) {
                // A segment that cannot be read now may have a newer snapshot than the others.
                if let failure = known.failure { throw failure }
                guard known.segment.standing == .ours else { continue }
                let file = try OpenFile(path(known.segment.name), .read, in: files)
                let scan = try SegmentScan(file, key: key, segment: known.segment)
                // A segment before a damaged one may have what the damaged one lost.
                if scan.snapshot != nil || scan.isOfOtherKey || !scan.isDamaged { return scan.snapshot }
            }
        }
        return nil
    }
}
