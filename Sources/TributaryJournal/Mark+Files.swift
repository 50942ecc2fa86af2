extension Mark {
    /// Writes the mark to the folder. On an error the old one is still there, unless the disk is full and fails besides
    /// while it is written over, which the checksum shows.
    func write(
        in folder: String, _ durability: JournalOptions.Durability, _ files: any FileSystem
    ) throws(JournalError) {
        let (path, newPath) = (folder + "/" + FileName.mark, folder + "/" + FileName.newMark)
        do {
            try write(to: newPath, .replace, durability, files)
            try files.moveFile(newPath, to: path)
        } catch {
            guard error.reason == .noSpace else { throw error }
            try? files.removeFile(newPath)
            try write(to: path, .update, durability, files)
        }
        if durability.survivesPowerLoss { try files.syncFolder(folder) }
    }

    private func write(
        to path: String, _ access: FileAccess, _ durability: JournalOptions.Durability, _ files: any FileSystem
    ) throws(JournalError) {
        let file = try OpenFile(path, access, in: files)
        try file.write(encoded(), at: 0)
        if durability.survivesPowerLoss { try file.sync() }
    }

    /// Reads the mark of a folder; nil when there is none.
    static func read(from folder: String, _ files: any FileSystem) throws(JournalError) -> Reading? {
        do {
            let file = try OpenFile(folder + "/" + FileName.mark, .read, in: files)
            return read(try file.read(at: 0, count: JournalLimits.headerBytes))
        } catch let error where error.reason == .missing {
            return nil
        }
    }
}
