extension Journal {
    /// The newest snapshot in a folder, without opening a journal there; nil when there is none, or none that this key
    /// opens.
    ///
    /// Nothing is locked and nothing is changed; the owner may be at work meanwhile. As a rule the newest segment is read.
    /// - Throws: what the system reported. A folder that is not there has no snapshot.
    package static func newestSnapshot(
        in folder: String, options: JournalOptions, files: any FileSystem
    ) throws(JournalError) -> [UInt8]? {
        do {
            var opening = JournalOpening(folder: folder, options: options, files: files)
            opening.mayDelete = false
            return try opening.newestSnapshot()
        } catch let error where error.reason == .missing {
            return nil
        }
    }
}

extension JournalOpening {
    fileprivate mutating func newestSnapshot() throws(JournalError) -> [UInt8]? {
        guard let mark = try Mark.read(from: folder, files)?.mark else { return nil }
        let key = FrameKey(epoch: mark.epoch, cipher: options.cipher)
        let entries = try files.listFolder(folder).filter { FileName.first(of: $0.name) != nil }
        for entry in entries.sorted(by: { $0.name > $1.name }) {
            for known in try known(inspect([entry]), key: key, mark: mark) {
                // What cannot be read now may say something newer than what can.
                if let failure = known.failure { throw failure }
                guard known.segment.standing == .ours else { continue }
                let file = try OpenFile(path(known.segment.name), .read, in: files)
                let scan = try SegmentScan(file, key: key, segment: known.segment)
                // What a damaged segment does not say any more, the one before it may.
                if scan.snapshot != nil || scan.isOfOtherKey || !scan.isDamaged { return scan.snapshot }
            }
        }
        return nil
    }
}
