extension Mark {
    /// Writes the mark to the folder in place of the earlier one. After an error the earlier one is still there. The
    /// exception is a full disk that also fails while the mark is overwritten; the checksum shows that.
    /// - Returns: the name of the file.
    func write(
        in folder: String, over name: String, _ durability: JournalOptions.Durability, _ files: any FileSystem
    ) throws(JournalError) -> String {
        let newPath = folder + "/" + FileName.newMark
        var written = FileName.mark
        do {
            try write(to: newPath, .replace, durability, files)
            try files.moveFile(newPath, to: folder + "/" + written)
        } catch {
            guard error.reason == .noSpace else { throw error }
            try? files.removeFile(newPath)
            try write(to: folder + "/" + name, .update, durability, files)
            written = name
        }
        // An old mark that stays is not read, because there is a newer one.
        if written != name { try? files.removeFile(folder + "/" + name) }
        if durability.survivesPowerLoss { try files.syncFolder(folder) }
        return written
    }

    private func write(
        to path: String, _ access: FileAccess, _ durability: JournalOptions.Durability, _ files: any FileSystem
    ) throws(JournalError) {
        let file = try OpenFile(path, access, in: files)
        try file.write(encoded(), at: 0)
        if durability.survivesPowerLoss { try file.sync() }
    }

    /// Stores a purge in the name of a mark, which needs no room.
    /// - Returns: the new name.
    static func rename(
        _ name: String, through sequence: UInt64, in folder: String, _ durability: JournalOptions.Durability,
        _ files: any FileSystem
    ) throws(JournalError) -> String {
        if let said = FileName.markedSequence(of: name), said >= sequence { return name }
        // Of two such marks, an opening could take the older one for the newer.
        for entry in try files.listFolder(folder) where FileName.markedSequence(of: entry.name) != nil {
            if entry.name != name { try files.removeFile(folder + "/" + entry.name) }
        }
        let new = FileName.mark(through: sequence)
        try files.moveFile(folder + "/" + name, to: folder + "/" + new)
        if durability.survivesPowerLoss { try files.syncFolder(folder) }
        return new
    }

    /// Reads the mark of a folder; nil when there is none.
    static func read(from folder: String, _ files: any FileSystem) throws(JournalError) -> Stored? {
        if let reading = try read(FileName.mark, in: folder, files) {
            return Stored(reading: reading, name: FileName.mark)
        }
        let named = try files.listFolder(folder).compactMap { entry in
            FileName.markedSequence(of: entry.name).map { (sequence: $0, name: entry.name) }
        }
        guard let newest = named.max(by: { $0.sequence < $1.sequence }),
            var reading = try read(newest.name, in: folder, files)
        else { return nil }
        if case .valid(var mark) = reading {
            mark.watermark = max(mark.watermark, newest.sequence)
            reading = .valid(mark)
        }
        return Stored(reading: reading, name: newest.name)
    }

    private static func read(
        _ name: String, in folder: String, _ files: any FileSystem
    ) throws(JournalError) -> Reading? {
        do {
            let file = try OpenFile(folder + "/" + name, .read, in: files)
            return read(try file.read(at: 0, count: JournalLimits.headerBytes))
        } catch let error where error.reason == .missing {
            return nil
        }
    }
}
